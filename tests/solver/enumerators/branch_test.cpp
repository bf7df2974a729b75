#include "solver/enumerators/branch.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("a formula is unknown until its decisions determine it, and again when they are undone") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula b = small.terms.declare_boolean("b"), negative = small.terms.less(x, 0);
  const Formula either = small.terms.either(b, negative);
  small.require(either);
  Branch branch = small.branch();
  CHECK(branch.truth(either) == Truth::unknown);
  branch.decide(branch.decision_on(b.node(), false));
  CHECK(branch.truth(either) == Truth::unknown);
  CHECK(branch.open_in(either).node == negative.node());
  branch.decide(branch.decision_on(negative.node(), !negative.negated()));
  CHECK(branch.truth(either) == Truth::yes);
  CHECK(branch.decisions().size() == 2);
  branch.undo();
  branch.undo();
  CHECK(branch.truth(either) == Truth::unknown);
  branch.decide(branch.decision_on(b.node(), true));
  CHECK(branch.truth(either) == Truth::yes);  // whatever x is
}

TEST_CASE("a defined real has a value once its condition is known") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula positive = small.terms.less(0, x);
  const Polynomial relu = small.terms.choice(positive, x, 0);
  small.weight(truth, relu);
  Branch branch = small.branch();
  CHECK(branch.open_in(relu)->node == positive.node());
  CHECK_FALSE(branch.vanishes(relu));
  branch.decide(branch.decision_on(positive.node(), !positive.negated()));
  CHECK(branch.resolved(2 * relu + 1) == 2 * x + 1);
  branch.undo();
  branch.decide(branch.decision_on(positive.node(), positive.negated()));
  CHECK(branch.vanishes(relu));
  CHECK_FALSE(branch.open_in(relu));
}

TEST_CASE("an atom over defined reals becomes linear when they are known") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula positive = small.terms.less(0, x);
  const Formula large = small.terms.less(3, small.terms.choice(positive, 2 * x, 0));
  small.require(large);
  Branch branch = small.branch();
  CHECK(branch.atom(large.node()) == nullptr);
  branch.decide(branch.decision_on(positive.node(), positive.negated()));
  CHECK(branch.truth(large) == Truth::no);  // 3 < 0
  branch.undo();
  branch.decide(branch.decision_on(positive.node(), !positive.negated()));
  REQUIRE(branch.atom(large.node()) != nullptr);
  CHECK(branch.truth(large) == Truth::unknown);  // 3 < 2 x
}

TEST_CASE(
    "units are literals without which a formula cannot hold, those with few variables first") {
  SmallProblem small;
  const Polynomial x = small.real("x"), y = small.real("y");
  const Formula sum = small.terms.less(x + y, 1), bound = small.terms.less(0, x);
  const Formula b = small.terms.declare_boolean("b");
  small.require(small.terms.both(sum, bound));
  small.require(small.terms.either(b, small.terms.less(0, y)));
  const Branch branch = small.branch();
  const std::vector<Decision> units = branch.units_of(small.problem.assertions);
  REQUIRE(units.size() == 2);
  CHECK(units[0].node == bound.node());
  CHECK(units[1].node == sum.node());
}

}  // namespace
}  // namespace wmi::tests
