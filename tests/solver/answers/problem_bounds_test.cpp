#include "solver/answers/problem_bounds.h"

#include <doctest/doctest.h>

#include "solver/answers/answer_accumulator.h"
#include "solver/solve.h"
#include "tests/solver/exact_values.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/stop_after.h"

namespace wmi {
namespace {

using namespace tests;

TEST_CASE("the bounds contain the whole integral and the range of every term") {
  Random random(40);
  MESSAGE("seed " << random.seed());
  int bounded = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {2, 1, 8, 1, true});
    problem.weights = {{truth, power(random_affine(random, problem), 2)},
                       {random_formula(random, problem, 1), Polynomial(random.integer(0, 3))}};
    const ProblemBounds bounds(problem);
    if (!bounds.non_negative() || !bounds.most()) continue;
    ++bounded;
    const Rational whole = wmi(problem);
    CHECK(whole >= 0);
    CHECK(whole <= *bounds.most());
  }
  CHECK(bounded > 0);
}

TEST_CASE("a piecewise affine weight is known to be positive where it holds") {
  Problem problem;
  const Polynomial x = Polynomial::variable(problem.terms.declare_real("x"));
  problem.integrated = {true};
  problem.assertions = {problem.terms.less_equal(-1, x), problem.terms.less_equal(x, 1)};
  problem.weights = {{problem.terms.less(0, x), x}};
  CHECK(ProblemBounds(problem).non_negative());
  problem.weights = {{truth, x}};
  CHECK_FALSE(ProblemBounds(problem).non_negative());
}

TEST_CASE("a stopped solve has bounds that contain the answer") {
  Random random(41);
  int stopped = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {2, 2, 12, 1, true});
    problem.weights = {{truth, power(random_affine(random, problem), 2) + Polynomial(1)},
                       {random_formula(random, problem, 1), Polynomial(2)}};
    Query probability = wmi_of(random_formula(random, problem, 1));
    probability.kind = Query::Kind::probability;
    Query mean, variance, piecewise;
    mean.kind = Query::Kind::expectation;
    mean.term = Polynomial::variable(0) + Polynomial::variable(1);
    variance.kind = Query::Kind::variance;
    variance.term = mean.term;
    piecewise.kind = Query::Kind::expectation;
    piecewise.term =
        problem.terms.choice(random_formula(random, problem, 1), random_affine(random, problem), 0);
    const Task task{problem, {wmi_of(truth), probability, mean, variance, piecewise}};
    const Solution whole = solve(task, *make_z3(), *make_triangulation({}));
    for (const std::size_t cells : {1, 2, 4}) {
      StopAfter observer(cells);
      const Solution part = solve(task, *make_z3(), *make_triangulation({}),
                                  {.stop = observer.token(), .observer = &observer});
      for (std::size_t q = 0; q < task.queries.size(); ++q) {
        CAPTURE(q);
        const Answer& answer = part.answers[q];
        if (answer.complete || !whole.answers[q].value) continue;
        ++stopped;
        if (answer.lower) CHECK(*answer.lower <= whole.answers[q].value->lower);
        if (answer.upper) CHECK(*answer.upper >= whole.answers[q].value->upper);
      }
    }
  }
  CHECK(stopped > 100);
}

}  // namespace
}  // namespace wmi
