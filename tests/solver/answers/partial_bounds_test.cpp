#include "solver/answers/partial_bounds.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

/// 0 <= x <= 1, weight 1; some of it is added, and regions with a weight of at most `most` and x in
/// `range` are missing from all sums.
struct PartlyAdded {
  Task task;
  Polynomial x = Polynomial::variable(task.problem.terms.declare_real("x"));

  PartlyAdded() {
    Problem& problem = task.problem;
    problem.integrated = {true};
    problem.assertions = {problem.terms.less_equal(0, x), problem.terms.less_equal(x, 1)};
  }

  Answer answer(Query::Kind kind, std::vector<Interval> values, const Rational& most,
                const Interval& range) {
    Query query;
    query.kind = kind;
    query.term = x;
    query.event = task.problem.terms.less(x, ratio(1, 2));
    task.queries = {query};
    const Plan plan = make_plan(task);
    REQUIRE(values.size() == plan.sums);
    const Totals totals{std::move(values), std::vector<std::size_t>(plan.sums), {}, {}, {}};
    std::vector<MissingMass> missing(plan.sums);
    for (const Goal& goal : plan.goals)
      for (const Summand& summand : goal.summands)
        missing[summand.sum].add(most, summand.is_one() ? Interval(Rational(1)) : range);
    const ProblemBounds bounds(task.problem);
    return PartialBounds(bounds, plan, totals, std::move(missing)).answer(query, plan.parts[0]);
  }
};

TEST_CASE_FIXTURE(PartlyAdded,
                  "a sum is at least what is added, at most that and what is missing") {
  const Answer found =
      answer(Query::Kind::wmi, {Interval(ratio(1, 2))}, ratio(1, 4), Interval(0, 1));
  CHECK(found.lower == ratio(1, 2));
  CHECK(found.upper == ratio(3, 4));
}

TEST_CASE_FIXTURE(PartlyAdded, "a probability is between 0 and 1") {
  // 1/4 of 1/2 is known, and 1/2 missing: at least (1/4)/(1/2 + 1/2).
  const Answer found =
      answer(Query::Kind::probability, {Interval(ratio(1, 2)), Interval(ratio(1, 4))}, ratio(1, 2),
             Interval(0, 1));
  CHECK(found.lower == ratio(1, 4));
  CHECK(found.upper == Rational(1));
}

TEST_CASE_FIXTURE(PartlyAdded,
                  "a mean lies between what is known and the range where it is missing") {
  // The mean is 1/2 so far, and as much weight may be missing, where x is between 1/2 and 1: so it
  // is at most (1/4 + 1/2)/(1/2 + 1/2).
  const Answer found =
      answer(Query::Kind::expectation, {Interval(ratio(1, 2)), Interval(ratio(1, 4))}, ratio(1, 2),
             Interval(ratio(1, 2), 1));
  CHECK(found.lower == ratio(1, 2));
  CHECK(found.upper == ratio(3, 4));
}

TEST_CASE_FIXTURE(PartlyAdded, "a quantile lies in the range of its term") {
  const Answer found =
      answer(Query::Kind::quantile, {Interval(ratio(1, 2))}, ratio(1, 2), Interval(0, 1));
  CHECK(found.lower == Rational(0));
  CHECK(found.upper == Rational(1));
}

TEST_CASE("bounds are narrowed by others") {
  Answer a, b;
  a.lower = 0;
  b.lower = 1;
  b.upper = 2;
  narrow(a, b);
  CHECK(a.lower == Rational(1));
  CHECK(a.upper == Rational(2));
  b.upper = 3;
  narrow(a, b);
  CHECK(a.upper == Rational(2));
}

}  // namespace
}  // namespace wmi
