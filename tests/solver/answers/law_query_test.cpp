// Laws as answers: every number that a law gives is also asked for by itself.

#include <doctest/doctest.h>

#include <optional>

#include "solver/enumerators/goal.h"
#include "solver/solve.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

Query about(Query::Kind kind, const Polynomial& term, const Rational& at = 0,
            Formula given = truth) {
  Query query;
  query.kind = kind;
  query.term = term;
  query.at = at;
  query.given = given;
  return query;
}

Answer answer_of(const Problem& problem, const Query& query,
                 const Enumerator& enumerator = *make_split(), unsigned threads = 1) {
  return solve({problem, {query}}, enumerator, *make_auto({}), {.threads = threads}).answers[0];
}

const Polynomial x = Polynomial::variable(0);

/// x between 0 and `end`.
Problem segment(const Rational& end) {
  Problem problem;
  problem.terms.declare_real("x");
  problem.integrated = {true};
  problem.assertions = {problem.terms.less_equal(Polynomial(0), x),
                        problem.terms.less_equal(x, Polynomial(end))};
  return problem;
}

TEST_CASE("laws of terms agree with single queries on random problems") {
  Random random(53);
  MESSAGE("seed " << random.seed());
  int checked = 0, with_atoms = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const bool signed_weights = random.chance(20);
    Problem problem =
        random_problem(random, {random.integer(1, 3), random.integer(0, 2), 4, 1, signed_weights});
    if (!signed_weights && random.chance(60))  // x^2 + 1/2
      problem.weights.push_back(
          {truth, Polynomial::variable(0) * Polynomial::variable(0) + ratio(1, 2)});
    // Piecewise affine, constant in one of the cases every now and then.
    const Formula condition = random_formula(random, problem, 2);
    const Polynomial then = random_affine(random, problem);
    const Polynomial otherwise =
        random.chance(50) ? random_affine(random, problem) : Polynomial(random.integer(-1, 1));
    const Polynomial term = problem.terms.choice(condition, then, otherwise);
    const Formula given = random.chance(30) ? random_formula(random, problem, 2) : truth;

    const Answer found = answer_of(problem, about(Query::Kind::distribution, term, 0, given));
    const Answer expectation = answer_of(problem, about(Query::Kind::expectation, term, 0, given));
    CHECK(found.undefined == expectation.undefined);
    CHECK(found.refused == expectation.refused);
    if (!expectation.value) continue;
    ++checked;
    REQUIRE(found.law);
    const Law& law = *found.law;
    if (!law.atoms().empty()) ++with_atoms;
    CHECK(found.value == expectation.value);
    CHECK(law.mass() == 1);
    CHECK(law.mean() == expectation.value->lower);
    CHECK(Interval(law.variance()) ==
          *answer_of(problem, about(Query::Kind::variance, term, 0, given)).value);
    Query third = about(Query::Kind::moment, term, 0, given);
    third.order = 3;
    CHECK(Interval(law.moment(3)) == *answer_of(problem, third).value);

    // Either enumerator, any number of threads.
    const Query whole = about(Query::Kind::distribution, term, 0, given);
    CHECK(*answer_of(problem, whole, *make_z3()).law == law);
    CHECK(*answer_of(problem, whole, *make_split(), 3).law == law);

    std::vector<Rational> places = law.knots();
    if (places.size() > 4) places.resize(4);
    places.push_back(ratio(random.integer(-20, 20), random.integer(1, 9)));
    for (const Rational& at : places) {
      CAPTURE(at.get_str());
      Problem asked = problem;
      Query probability;
      probability.kind = Query::Kind::probability;
      probability.event = asked.terms.less_equal(term, Polynomial(at));
      probability.given = given;
      CHECK(Interval(law.cdf(at)) == *answer_of(asked, probability).value);
      CHECK(*answer_of(problem, about(Query::Kind::cdf, term, at, given)).value ==
            Interval(law.cdf(at)));
      const Answer density = answer_of(problem, about(Query::Kind::density, term, at, given));
      if (law.mass_at(at) != 0) {
        CHECK(density.refused.starts_with("the term has a point mass of " +
                                          to_string(law.mass_at(at))));
      } else if (density.value) {
        CHECK(*density.value == Interval(law.density(at)));
        CHECK(*density.left == Interval(law.density_left(at)));
      }
    }
    const Rational p = ratio(random.integer(1, 8), 8);
    const Answer quantile = answer_of(problem, about(Query::Kind::quantile, term, p, given));
    if (law.non_negative())
      CHECK(*quantile.value == law.quantile(p, 20));
    else
      CHECK(quantile.refused.starts_with("the law is negative somewhere"));
  }
  CHECK(checked > 60);
  CHECK(with_atoms > 10);
}

TEST_CASE("queries about one term share its law") {
  Task task{segment(2), {}};
  for (int i = 1; i <= 50; ++i)
    task.queries.push_back(about(Query::Kind::quantile, x, ratio(i, 50)));
  task.queries.push_back(about(Query::Kind::cdf, x, 1));
  const Plan plan = make_plan(task);
  CHECK(plan.laws == 1);
  CHECK(plan.goals.size() == 1);
  const Solution solution = solve(task, *make_split(), *make_auto({}));
  for (int i = 1; i <= 50; ++i)
    CHECK(*solution.answers[static_cast<std::size_t>(i - 1)].value == Interval(ratio(i, 25)));
  CHECK(*solution.answers[50].value == Interval(ratio(1, 2)));
}

TEST_CASE("a condition of probability 0 leaves the law undefined") {
  Problem problem = segment(2);
  const Formula never = problem.terms.less(x, Polynomial(-1));
  for (const Query::Kind kind :
       {Query::Kind::distribution, Query::Kind::cdf, Query::Kind::quantile}) {
    const Answer answer = answer_of(problem, about(kind, x, ratio(1, 2), never));
    CHECK(answer.undefined == "the condition has probability 0");
    CHECK(!answer.value);
  }
}

TEST_CASE("rounded integrators give the same law") {
  Problem problem = segment(ratio(2, 3));
  problem.weights = {{truth, x * x}};
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    const Solution solution = solve({problem, {about(Query::Kind::distribution, x)}}, *make_split(),
                                    *entry.make({.precision = 53, .digits = 5}));
    CHECK(solution.answers[0].law == Law({}, {{0, ratio(2, 3), Univariate({0, 0, ratio(81, 8)})}}));
  }
}

}  // namespace
}  // namespace wmi::tests
