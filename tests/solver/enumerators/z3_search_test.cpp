#include "solver/enumerators/z3_search.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("the leaves are disjoint, and a model of each is inside") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  const Formula low = small.terms.less(x, ratio(1, 4));
  small.weight(low, Polynomial(3));
  Z3Search search(small.problem, small.goals, {});
  Polynomial weights;
  int cells = 0;
  while (const std::optional<Cell> cell = search.next()) {
    ++cells;
    const Polynomial& weight = cell->integrands.at(0);
    weights += weight;
    const Rational& point = search.at_leaf().reals[0];
    CHECK((point < ratio(1, 4)) == (weight == Polynomial(3)));
    CHECK(std::holds_alternative<PlainCell>(cell->kind));
  }
  CHECK(cells == 2);
  CHECK(weights == Polynomial(4));
}

TEST_CASE("a goal of a density has a slice") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  small.goals = {{truth, {}, Slice{2 * x, 1, 0, 1, 2}}};
  Z3Search search(small.problem, small.goals, {});
  const std::optional<Cell> cell = search.next();
  REQUIRE(cell);
  CHECK(std::holds_alternative<SliceCell>(cell->kind));
  CHECK(cell->variables.empty());
  CHECK(cell->integrands[0] == Polynomial(ratio(1, 2)));
  CHECK_FALSE(search.next());
}

TEST_CASE("a cell on which no equation determines a derived real is refused, or skipped") {
  SmallProblem small;
  small.unit_real("x");
  const Polynomial z = small.real("z", false);
  small.require(small.terms.less(0, z));
  CHECK_THROWS_AS(Z3Search(small.problem, small.goals, {}).next(), Error);
  CHECK_FALSE(Z3Search(small.problem, small.goals, {}, Undetermined::skip).next());
}

}  // namespace
}  // namespace wmi::tests
