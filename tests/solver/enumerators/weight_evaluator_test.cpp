#include "solver/enumerators/weight_evaluator.h"

#include <doctest/doctest.h>

#include "tests/solver/random_problem.h"
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

TEST_CASE("a nested weight is the weight when it is multiplied out") {
  Random random(16);
  CAPTURE(random.seed());
  int with_sums = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Problem problem = random_problem(random, {.booleans = 2, .definitions = 1, .weights = false});
    std::vector<Formula> formulas;  // of terms that are linear
    for (int i = 0; i < 6; ++i) formulas.push_back(random_formula(random, problem, 1));
    for (int i = 0; i < 3; ++i)
      problem.terms.choice(
          formulas[std::size_t(i)], random_polynomial(random, problem, 2),
          random.chance(20) ? Polynomial() : random_polynomial(random, problem, 2));
    for (int i = random.integer(1, 3); i > 0; --i)
      problem.weights.push_back({random.chance(50) ? truth : formulas[std::size_t(2 + i)],
                                 random_polynomial(random, problem, 2)});
    const Goal goal{truth, {{Polynomial(1), 0}}, {}};
    const std::vector<std::uint32_t> nodes = cone(problem, std::span(&goal, 1));
    Branch plain(problem, nodes), named(problem, nodes, true);
    const WeightEvaluator evaluator(problem);
    std::uint32_t settled = 0;
    while (std::optional<Decision> decision = evaluator.open_in(plain, settled)) {
      const bool holds = random.chance(50);
      plain.decide(plain.decision_on(decision->node, holds));
      named.decide(named.decision_on(decision->node, holds));
    }
    for (std::uint32_t weight = 0; weight < problem.weights.size(); ++weight)
      CHECK(evaluator.settled(named, weight) == evaluator.settled(plain, weight));
    CHECK(evaluator.vanishes(named) == evaluator.vanishes(plain));
    if (settled < problem.weights.size()) ++with_sums;
    const NestedPolynomial nested = evaluator.nested_weight(named);
    CHECK(nested.coordinates == problem.integrated.size());
    CHECK(expanded(nested) == evaluator.weight(plain));
    CHECK(named.decisions().size() == plain.decisions().size());
  }
  CHECK(with_sums > 20);
}

TEST_CASE("a nested weight may have hundreds of factors") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  for (int i = 0; i < 200; ++i) small.weight(truth, x + i);
  Polynomial product(1);
  for (int i = 0; i < 200; ++i) product = product * (x + i);
  Branch branch(small.problem, cone(small.problem, small.goals), true);
  CHECK(expanded(WeightEvaluator(small.problem).nested_weight(branch)) == product);
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
