#include "solver/answers/query_answer.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

/// The answer to one query of a problem with a real x, whose plan has the sums `values`.
struct Sums {
  Task task;
  Polynomial x = Polynomial::variable(task.problem.terms.declare_real("x"));

  Answer answer(Query::Kind kind, std::vector<Interval> values) {
    Query query;
    query.kind = kind;
    query.term = x;
    query.at = 1;
    task.problem.integrated = {true};
    task.queries = {query};
    const Plan plan = make_plan(task);
    REQUIRE(values.size() == plan.sums);
    Totals totals{std::move(values),
                  std::vector<std::size_t>(plan.sums, 5),
                  std::vector<Refusal>(plan.sums),
                  {},
                  {}};
    totals.refusals.back() = {refusal_of_last};
    return query_answer(task, query, plan.parts[0], totals, 20);
  }
  std::string refusal_of_last;
};

TEST_CASE_FIXTURE(Sums, "an answer is a quotient of sums") {
  CHECK(answer(Query::Kind::wmi, {Interval(2)}).value == Interval(2));
  CHECK(answer(Query::Kind::expectation, {Interval(2), Interval(3)}).value ==
        Interval(ratio(3, 2)));
  const Answer variance = answer(Query::Kind::variance, {Interval(2), Interval(2), Interval(5)});
  CHECK(variance.value == Interval(ratio(3, 2)));  // 5/2 - 1
  CHECK(variance.cells == 5);
}

TEST_CASE_FIXTURE(Sums, "a condition of probability 0 leaves an answer undefined") {
  const Answer found = answer(Query::Kind::expectation, {Interval(Rational(0)), Interval(1)});
  CHECK_FALSE(found.value);
  CHECK(found.undefined == "the condition has probability 0");
}

TEST_CASE_FIXTURE(Sums, "a total that may be 0 is refused as too wide") {
  const Answer found = answer(Query::Kind::expectation, {Interval(-1, 1), Interval(1)});
  CHECK(found.too_wide);
  CHECK_FALSE(found.refused.empty());
}

TEST_CASE_FIXTURE(Sums, "a density at a point mass is refused") {
  // The total; mass, left and right.
  const Answer density =
      answer(Query::Kind::density, {Interval(2), Interval(Rational(0)), Interval(1), Interval(4)});
  CHECK(density.value == Interval(2));
  CHECK(density.left == Interval(ratio(1, 2)));
  CHECK(answer(Query::Kind::density, {Interval(2), Interval(1), Interval(1), Interval(4)})
            .refused.starts_with("the term has a point mass of 1/2 at 1"));
}

TEST_CASE_FIXTURE(Sums, "a refused sum refuses the answers that are made of it") {
  refusal_of_last = "no";
  CHECK(answer(Query::Kind::expectation, {Interval(1), Interval(1)}).refused == "no");
}

TEST_CASE_FIXTURE(Sums, "check-sat is not answered by a number") {
  Query query;
  query.kind = Query::Kind::satisfiable;
  CHECK_FALSE(asks_number(query));
  CHECK_FALSE(query_answer(task, query, {}, {}, 20).value);
}

}  // namespace
}  // namespace wmi
