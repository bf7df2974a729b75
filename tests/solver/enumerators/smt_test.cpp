#include "solver/enumerators/smt.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/brute_force.h"
#include "tests/solver/random_problem.h"

namespace wmi {
namespace {

TEST_CASE("a model satisfies what was added, and unsatisfiable formulas have none") {
  tests::Random random(60);
  MESSAGE("seed " << random.seed());
  int models = 0, refuted = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Problem problem = tests::random_problem(random, {2, 2, 8, 2, true});
    Smt smt(problem.terms, {});
    for (const Formula assertion : problem.assertions) smt.add(assertion);
    if (const auto model = smt.check()) {
      ++models;
      for (const Formula assertion : problem.assertions)
        CHECK(tests::holds(problem.terms, assertion, model->reals, model->booleans));
    } else {
      ++refuted;
    }
  }
  CHECK(models > 0);
  CHECK(refuted > 0);
}

TEST_CASE("push and pop save and restore") {
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Formula positive = terms.less(0, x), negative = terms.less(x, 0);
  Smt smt(terms, {});
  smt.add(positive);
  smt.push();
  smt.add(negative);
  CHECK_FALSE(smt.check());
  smt.pop();
  REQUIRE(smt.check());
  CHECK(smt.check()->reals[0] > 0);
  smt.add(LinearForm(x - 3), Comparison::less, false);
  CHECK(smt.check()->reals[0] >= 3);
}

TEST_CASE("an SMT solver that is told to stop stops") {
  Terms terms;
  std::stop_source source;
  Smt smt(terms, source.get_token());
  source.request_stop();
  CHECK_THROWS_AS(smt.check(), Stopped);
  CHECK_THROWS_AS(smt.push(), Stopped);
}

}  // namespace
}  // namespace wmi
