#include "solver/enumerators/cell.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace wmi {
namespace {

TEST_CASE("a region is the same from its halfspaces and from its polyhedra") {
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  const ProductRegion triangle =
      ProductRegion(2).above(LinearForm(x)).above(LinearForm(y)).below(LinearForm(x + y - 1));
  const CellBounds polyhedra = triangle, sides = halfspaces(polyhedra);
  CHECK(halfspaces(sides) == halfspaces(polyhedra));
  const Region a = make_region(2, polyhedra), b = make_region(2, sides);
  REQUIRE(a.factors.size() == 1);
  REQUIRE(b.factors.size() == 1);
  const auto corners = [](const Region& region) {
    std::vector<Point> result = region.factors[0].polytope.vertices();
    std::sort(result.begin(), result.end());
    return result;
  };
  CHECK(corners(a) == std::vector<Point>{{0, 0}, {0, 1}, {1, 0}});
  CHECK(corners(b) == corners(a));
}

TEST_CASE("a region without volume is flat, and an unbounded one is refused") {
  const CellBounds line = std::vector<Halfspace>{{{1}, 0}, {{-1}, 0}};  // x <= 0 <= x
  CHECK(make_region(1, line).flat);
  CHECK_THROWS_AS(make_region(1, CellBounds(std::vector<Halfspace>{{{1}, 0}})), Unbounded);
}

TEST_CASE("a new cell is plain") { CHECK(std::holds_alternative<PlainCell>(Cell{}.kind)); }

}  // namespace
}  // namespace wmi
