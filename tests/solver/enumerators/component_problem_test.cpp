#include "solver/enumerators/component_problem.h"

#include <doctest/doctest.h>

#include "tests/solver/exact_values.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("a component is a problem in its own reals and Booleans") {
  SmallProblem small;
  small.real("w");
  const Polynomial x = small.real("x");
  const Formula a = small.terms.declare_boolean("a"), b = small.terms.declare_boolean("b");
  small.require(small.terms.either(small.terms.less(x, ratio(1, 2)), b));
  small.weight(b, x);
  Component component;
  component.formulas = small.problem.assertions;
  component.weights = {0};
  component.booleans = {b.node()};
  component.coordinates = {1};
  const Part part = component_problem(small.problem, small.branch(), small.unit_cube(), component);
  CHECK(part.coordinates == std::vector<Variable>{1});
  CHECK(part.problem.integrated.size() == 1);
  CHECK(part.problem.terms.boolean_count() == 1);
  CHECK(wmi(part.problem) == 1);  // x under b: 1/2; 1 without b, where x < 1/2: 1/2
  CHECK(a != b);
}

TEST_CASE("the same component on two branches is the same problem") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula a = small.terms.declare_boolean("a"), b = small.terms.declare_boolean("b");
  const Formula open = small.terms.either(small.terms.less(x, ratio(1, 2)), b);
  small.require(small.terms.choice(a, open, open));
  small.require(open);
  Component component;
  component.formulas = {open};
  component.booleans = {b.node()};
  component.coordinates = {0};
  small.goals.push_back({a, {}, {}});
  Branch branch = small.branch();
  std::vector<Problem> found;
  for (const bool holds : {true, false}) {
    branch.decide(branch.decision_on(a.node(), holds));
    found.push_back(component_problem(small.problem, branch, small.unit_cube(), component).problem);
    branch.undo();
  }
  CHECK(found[0] == found[1]);
}

}  // namespace
}  // namespace wmi::tests
