#include "solver/smooth/convex_region.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("a bounded region has vertices, an unbounded one directions") {
  const ConvexRegion square(2, {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 0}, {{0, 1}, 1}});
  CHECK(square.polytope);
  CHECK(square.least(0) == Rational(0));
  CHECK(square.most(1) == Rational(1));
  const ConvexRegion quadrant(2, {{{-1, 0}, 0}, {{0, -1}, 0}});
  CHECK_FALSE(quadrant.polytope);
  CHECK(quadrant.directions.size() == 2);
  CHECK_FALSE(quadrant.line());
  CHECK(ConvexRegion(2, {{{1, 0}, 0}, {{-1, 0}, -1}}).flat());
}

TEST_CASE("each facet has one halfspace") {
  const ConvexRegion quadrant(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{-2, 0}, 0}, {{-1, -1}, 1}});
  const std::vector<Halfspace> axes = {{{-1, 0}, 0}, {{0, -1}, 0}};
  CHECK(quadrant.facets() == axes);
  const ConvexRegion triangle(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}, {{1, 0}, 5}});
  CHECK(triangle.facets().size() == 3);
}

TEST_CASE("lines are found") {
  const ConvexRegion strip(2, {{{1, 1}, 1}, {{-1, -1}, 1}});
  const std::optional<Point> line = strip.line();
  REQUIRE(line);
  CHECK((*line)[0] + (*line)[1] == 0);
  CHECK(ConvexRegion(3, {}).line());
}

TEST_CASE("the ends of an interval follow from its halfspaces, if there are any") {
  const ConvexRegion half(1, {{{-2}, -1}, {{-1}, 0}});
  CHECK(half.least(0) == ratio(1, 2));
  CHECK_FALSE(half.most(0));
}

}  // namespace
}  // namespace wmi
