#include "solver/enumerators/leaf.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("a slice has one coordinate less, and the weight divided by the coefficient of that") {
  // The square cut by 2x + y = 1, x eliminated: 0 <= y <= 1, weight x y / 2 = (1 - y) y / 4.
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  const std::vector<Halfspace> square = {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 0}, {{0, 1}, 1}};
  const std::optional<Cell> slice =
      slice_of(square, {5, 7}, x * y, LinearForm(2 * x + y - 1), {3, 4});
  REQUIRE(slice);
  CHECK(slice->variables == std::vector<Variable>{7});
  const Polynomial left = Polynomial::variable(0);
  CHECK(slice->integrands[0] == ratio(1, 4) * (left - left * left));
  CHECK(slice->sums[0] == std::vector<std::size_t>{3, 4});
  const Region region = make_region(1, std::get<SliceCell>(slice->kind).halfspaces);
  CHECK(region.factors[0].polytope.vertices() == std::vector<Point>{{0}, {1}});
}

TEST_CASE("a slice outside of a cell is empty") {
  const std::vector<Halfspace> interval = {{{-1}, 0}, {{1}, 1}};
  CHECK_FALSE(slice_of(interval, {0}, 1, LinearForm(Polynomial::variable(0) - 2), {}));
}

TEST_CASE("a leaf has the literals as halfspaces and the weight, doubled for each free Boolean") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Formula positive = small.terms.less(0, x);
  small.terms.declare_boolean("free");
  small.require(positive);
  small.weight(positive, x);
  Branch branch = small.branch();
  branch.decide(branch.decision_on(positive.node(), !positive.negated()));
  const std::optional<Leaf> leaf = make_leaf(small.problem, branch, eliminate(small.problem, {}));
  REQUIRE(leaf);
  CHECK(leaf->halfspaces() == std::vector<Halfspace>{{{-1}, 0}});
  CHECK(leaf->weight() == 2 * x);
  CHECK(leaf->integrand(x) == 2 * x * x);
}

TEST_CASE("a leaf with a derived real that nothing determines is refused") {
  SmallProblem small;
  small.real("x");
  small.real("z", false);
  CHECK_THROWS_WITH_AS(
      make_leaf(small.problem, small.branch(), eliminate(small.problem, {})),
      "'z' is not determined; pin it by an equality there, or add it to (integrate ...)", Error);
}

}  // namespace
}  // namespace wmi::tests
