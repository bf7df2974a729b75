#include "solver/geometry/region.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

/// normal . x <= bound.
Halfspace below(std::vector<Rational> normal, const Rational& bound) {
  return {std::move(normal), bound};
}

/// 0 <= x_i <= 1 in `dimension` dimensions.
std::vector<Halfspace> cube(std::size_t dimension) {
  std::vector<Halfspace> result;
  for (std::size_t i = 0; i < dimension; ++i) {
    std::vector<Rational> normal(dimension);
    normal[i] = 1;
    result.push_back(below(normal, 1));
    normal[i] = -1;
    result.push_back(below(normal, 0));
  }
  return result;
}

TEST_CASE("a box in 20 dimensions is a product of 20 intervals") {
  const Region region = make_region(20, cube(20));
  CHECK(!region.flat);
  REQUIRE(region.factors.size() == 20);
  CHECK(region.vertex_count() == 40);
  CHECK(region.factors[7].coordinates == std::vector<Variable>{7});
  CHECK(region.factors[7].polytope.vertices() == std::vector<Point>{{0}, {1}});
}

TEST_CASE("coordinates of one halfspace are in one factor") {
  std::vector<Halfspace> halfspaces = cube(3);
  halfspaces.push_back(below({1, 0, 1}, 1));  // x0 + x2 <= 1
  const Region region = make_region(3, halfspaces);
  REQUIRE(region.factors.size() == 2);
  CHECK(region.factors[0].coordinates == std::vector<Variable>{0, 2});
  CHECK(region.factors[0].polytope.vertices() == std::vector<Point>{{0, 0}, {0, 1}, {1, 0}});
  CHECK(region.factors[1].coordinates == std::vector<Variable>{1});
}

TEST_CASE("a region is flat if one of its factors is, or if a constant says so") {
  std::vector<Halfspace> halfspaces = cube(2);
  halfspaces.push_back(below({0, 1}, 0));  // x1 <= 0
  const Region region = make_region(2, halfspaces);
  CHECK(region.flat);
  CHECK(region.factors.empty());
  CHECK(make_region(2, {below({0, 0}, -1)}).flat);
  CHECK(!make_region(0, {below({}, 0)}).flat);
}

TEST_CASE("an unbounded region is refused, unless it is flat") {
  const std::vector<Halfspace> strip{below({1, 0}, 1), below({-1, 0}, 0)};  // 0 <= x0 <= 1
  try {
    make_region(2, strip);
    FAIL("not refused");
  } catch (const Unbounded& error) {
    REQUIRE(error.direction().size() == 2);
    CHECK(error.direction()[0] == 0);
    CHECK(error.direction()[1] != 0);
  }
  std::vector<Halfspace> segment = strip;
  segment.push_back(below({1, 0}, 0));
  CHECK(make_region(2, segment).flat);
}

}  // namespace
}  // namespace wmi
