#include "solver/enumerators/weight_evaluator.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("Booleans that only scale the weight are summed over") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula a = small.terms.declare_boolean("a"), b = small.terms.declare_boolean("b");
  small.terms.declare_boolean("free");
  small.weight(a, 2 * x);
  small.weight(!a, Polynomial(3));
  small.weight(b, x);
  Branch branch = small.branch();
  const WeightEvaluator evaluator(small.problem);
  std::uint32_t settled = 0;
  CHECK_FALSE(evaluator.open_in(branch, settled));
  CHECK(evaluator.weight(branch) == 2 * (2 * x + 3) * (x + 1));
  CHECK(branch.decisions().empty());
  branch.decide(branch.decision_on(a.node(), false));
  CHECK(evaluator.weight(branch) == 2 * Polynomial(3) * (x + 1));
  CHECK(evaluator.settled(branch, 0));
  CHECK_FALSE(evaluator.settled(branch, 2));
  CHECK(evaluator.settled_weight(branch, 1, false) == Polynomial(6));
}

TEST_CASE("an atom in a condition must be decided") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula positive = small.terms.less(0, x);
  small.weight(positive, x);
  Branch branch = small.branch();
  const WeightEvaluator evaluator(small.problem);
  std::uint32_t settled = 0;
  CHECK(evaluator.open_in(branch, settled)->node == positive.node());
  CHECK(settled == 0);
  branch.decide(branch.decision_on(positive.node(), positive.negated()));
  CHECK_FALSE(evaluator.open_in(branch, settled));
  CHECK(settled == 1);
  CHECK(evaluator.weight(branch) == Polynomial(1));
}

TEST_CASE("a weight that is 0 on a branch is found") {
  SmallProblem small;
  const Formula a = small.terms.declare_boolean("a");
  small.weight(a, Polynomial());
  Branch branch = small.branch();
  const WeightEvaluator evaluator(small.problem);
  CHECK_FALSE(evaluator.vanishes(branch));
  branch.decide(branch.decision_on(a.node(), true));
  CHECK(evaluator.vanishes(branch));
}

}  // namespace
}  // namespace wmi::tests
