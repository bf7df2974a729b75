#include "solver/geometry/polytope.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/solver/geometry/shapes.h"

namespace wmi::tests {
namespace {

using Facets = std::vector<std::vector<std::size_t>>;

const Halfspace x_at_least_0{{-1, 0}, 0};
const Halfspace y_at_least_0{{0, -1}, 0};
const Halfspace x_at_most_1{{1, 0}, 1};
const Halfspace y_at_most_1{{0, 1}, 1};
const Halfspace sum_at_most_1{{1, 1}, 1};

Rational slack(const Halfspace& halfspace, const Point& point) {
  Rational result = halfspace.bound;
  for (std::size_t j = 0; j < point.size(); ++j) result -= halfspace.normal[j] * point[j];
  return result;
}

/// The rank of the edges from the first point to the others, by Gaussian elimination.
std::size_t affine_dimension(std::vector<Point> points) {
  std::size_t rank = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    for (std::size_t j = 0; j < points[i].size(); ++j) points[i][j] -= points[0][j];
  points.erase(points.begin());
  for (std::size_t j = 0; !points.empty() && j < points[0].size(); ++j) {
    std::size_t pivot = rank;
    while (pivot < points.size() && points[pivot][j] == 0) ++pivot;
    if (pivot == points.size()) continue;
    std::swap(points[rank], points[pivot]);
    for (std::size_t i = rank + 1; i < points.size(); ++i) {
      const Rational factor = points[i][j] / points[rank][j];
      for (std::size_t k = j; k < points[i].size(); ++k) points[i][k] -= factor * points[rank][k];
    }
    ++rank;
  }
  return rank;
}

/// Whether both are the same set of points.
bool same(const Halfspace& a, const Halfspace& b) {
  const auto lead = std::find_if(a.normal.begin(), a.normal.end(),
                                 [](const Rational& entry) { return entry != 0; }) -
                    a.normal.begin();
  const Rational factor = b.normal[lead] / a.normal[lead];
  if (factor <= 0 || a.bound * factor != b.bound) return false;
  for (std::size_t j = 0; j < a.normal.size(); ++j)
    if (a.normal[j] * factor != b.normal[j]) return false;
  return true;
}

/// Checks the invariants of a polytope that is not flat.
void check_sound(const Polytope& polytope, const std::vector<Halfspace>& given) {
  const std::vector<Point> vertices = polytope.vertices();
  const std::vector<Halfspace> halfspaces = polytope.halfspaces();
  const Facets facets = polytope.facets();
  CHECK(std::is_sorted(vertices.begin(), vertices.end()));
  CHECK(affine_dimension(vertices) == polytope.dimension());
  REQUIRE(facets.size() == halfspaces.size());
  for (const Halfspace& halfspace : given)
    for (const Point& vertex : vertices) CHECK(slack(halfspace, vertex) >= 0);
  for (std::size_t i = 0; i < facets.size(); ++i) {
    CHECK(std::any_of(given.begin(), given.end(),
                      [&](const Halfspace& other) { return same(halfspaces[i], other); }));
    CHECK(std::count(facets.begin(), facets.end(), facets[i]) == 1);
    std::vector<std::size_t> expected;
    std::vector<Point> corners;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      if (slack(halfspaces[i], vertices[v]) != 0) continue;
      expected.push_back(v);
      corners.push_back(vertices[v]);
    }
    CHECK(facets[i] == expected);
    CHECK(affine_dimension(corners) == polytope.dimension() - 1);
  }
}

std::string refusal(std::size_t dimension, const std::vector<Halfspace>& halfspaces) {
  try {
    const Polytope polytope(dimension, halfspaces);
  } catch (const Unbounded& error) {
    return error.what();
  }
  return "bounded";
}

TEST_CASE("a triangle has its three corners as vertices") {
  const Polytope triangle(2, {x_at_least_0, y_at_least_0, sum_at_most_1});
  CHECK(triangle.vertices() == std::vector<Point>{{0, 0}, {0, 1}, {1, 0}});
  CHECK(triangle.facets() == Facets{{0, 1}, {0, 2}, {1, 2}});
  CHECK(triangle.dimension() == 2);
  CHECK_FALSE(triangle.flat());
}

TEST_CASE("vertices do not depend on the order of the halfspaces") {
  const Polytope one(2, {x_at_least_0, y_at_least_0, x_at_most_1, y_at_most_1});
  const Polytope other(2, {y_at_most_1, x_at_most_1, x_at_least_0, y_at_least_0});
  CHECK(one.vertices() == std::vector<Point>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  CHECK(one.vertices() == other.vertices());
}

TEST_CASE("halfspaces that bound nothing are dropped and the others keep their order") {
  const Halfspace touches_a_corner{{1, 1}, 2}, stays_away{{1, 0}, 5}, says_nothing{{0, 0}, 3};
  const Polytope square(2, {touches_a_corner, y_at_most_1, stays_away, x_at_least_0, says_nothing,
                            x_at_most_1, y_at_least_0});
  CHECK(square.halfspaces() ==
        std::vector<Halfspace>{y_at_most_1, x_at_least_0, x_at_most_1, y_at_least_0});
  CHECK(square.facets() == Facets{{1, 3}, {0, 1}, {2, 3}, {0, 2}});
}

TEST_CASE("a halfspace that touches only an edge of a cube is no facet") {
  std::vector<Halfspace> halfspaces = cube(3, 0, 1);
  halfspaces.insert(halfspaces.begin(), {{1, 1, 0}, 2});  // the edge x = y = 1
  halfspaces.push_back({{1, 1, 1}, 3});                   // the corner (1, 1, 1)
  const Polytope unit_cube(3, halfspaces);
  CHECK(unit_cube.vertices().size() == 8);
  CHECK(unit_cube.halfspaces() == cube(3, 0, 1));
}

TEST_CASE("a facet given twice, also with another scale, is one facet") {
  const Halfspace twice_the_sum{{2, 2}, 2},
      third_of_the_sum{{ratio(1, 3), ratio(1, 3)}, ratio(1, 3)};
  const Polytope triangle(2, {x_at_least_0, sum_at_most_1, twice_the_sum, y_at_least_0,
                              sum_at_most_1, third_of_the_sum});
  CHECK(triangle.halfspaces() == std::vector<Halfspace>{x_at_least_0, sum_at_most_1, y_at_least_0});
}

TEST_CASE("the tightest of parallel halfspaces bounds") {
  const Halfspace looser{{3, 3}, 4};
  const Polytope triangle(2, {x_at_least_0, looser, sum_at_most_1, y_at_least_0});
  CHECK(triangle.halfspaces() == std::vector<Halfspace>{x_at_least_0, sum_at_most_1, y_at_least_0});
}

TEST_CASE("an interval has two vertices and two facets") {
  const Polytope interval(1, {{{2}, 1}, {{-1}, 3}});
  CHECK(interval.vertices() == std::vector<Point>{{-3}, {ratio(1, 2)}});
  CHECK(interval.facets() == Facets{{1}, {0}});
}

TEST_CASE("in 0 dimensions there is one point, unless the halfspaces contradict") {
  const Polytope point(0, {});
  CHECK(point.vertices() == std::vector<Point>{{}});
  CHECK(point.facets().empty());
  CHECK_FALSE(point.flat());
  CHECK_FALSE(Polytope(0, {{{}, 0}, {{}, 7}}).flat());
  CHECK(Polytope(0, {{{}, 1}, {{}, -1}}).flat());
}

TEST_CASE("a region without volume is flat and has neither vertices nor facets") {
  const std::vector<std::vector<Halfspace>> flat_ones = {
      {x_at_least_0, y_at_least_0, {{1, 1}, 0}},                            // the point (0, 0)
      {x_at_least_0, y_at_least_0, sum_at_most_1, {{-1, -1}, -1}},          // an edge
      {x_at_least_0, y_at_least_0, {{1, 1}, -1}},                           // nothing
      {x_at_least_0, {{1, 0}, -1}, y_at_least_0, y_at_most_1},              // nothing
      {x_at_least_0, y_at_least_0, x_at_most_1, y_at_most_1, {{0, 0}, -1}}  // 0 <= -1
  };
  for (const std::vector<Halfspace>& halfspaces : flat_ones) {
    const Polytope polytope(2, halfspaces);
    CHECK(polytope.flat());
    CHECK(polytope.vertices().empty());
    CHECK(polytope.halfspaces().empty());
    CHECK(polytope.facets().empty());
  }
}

TEST_CASE("a region without volume is flat even if it is unbounded") {
  CHECK(Polytope(2, {x_at_least_0, {{1, 0}, 0}}).flat());                         // the line x = 0
  CHECK(Polytope(2, {{{1, 0}, -1}, x_at_least_0}).flat());                        // empty
  CHECK(Polytope(2, {{{1, 2}, 1}, {{-2, -4}, -2}, x_at_least_0}).flat());         // a ray
  CHECK(Polytope(2, {x_at_least_0, {{1, 1}, 0}, {{1, -1}, 0}}).flat());           // a point
  CHECK(Polytope(3, {{{1, 1, 0}, 0}, {{-1, 0, 0}, 0}, {{0, -1, 0}, 0}}).flat());  // a line
  // Empty, although no two are parallel: x + y <= -1 in the quadrant; z is free.
  CHECK(Polytope(3, {{{1, 1, 0}, -1}, {{-1, 0, 0}, 0}, {{0, -1, 0}, 0}}).flat());
}

TEST_CASE("a region of infinite volume is refused with a direction in which it is unbounded") {
  CHECK(refusal(2, {x_at_least_0, x_at_most_1, y_at_least_0}) ==
        "region is unbounded in direction (0, 1)");
  CHECK(refusal(1, {{{2}, 3}}) == "region is unbounded in direction (-1)");
  CHECK(refusal(2, {}) == "region is unbounded in direction (1, 0)");
  // Between y >= 3/2 x and y <= 3/2 x + 1, upwards only.
  CHECK(refusal(2, {{{ratio(3, 2), -1}, 0}, {{ratio(-3, 2), 1}, 1}, x_at_least_0}) ==
        "region is unbounded in direction (2, 3)");
}

TEST_CASE("a cone is unbounded, preferably along an axis") {
  // Spanned by (1, 1) and (0, 1).
  CHECK(refusal(2, {x_at_least_0, {{1, -1}, 0}}) == "region is unbounded in direction (0, 1)");
  CHECK(refusal(1, {{{-1}, 0}}) == "region is unbounded in direction (1)");
}

TEST_CASE("a slab is unbounded along its lines") {
  try {
    const Polytope slab(3, {{{1, 0, 0}, 1}, {{-1, 0, 0}, 1}, {{1, 1, 1}, 5}});
    FAIL("a slab is bounded");
  } catch (const Unbounded& error) {
    const Point& direction = error.direction();
    CHECK(direction[0] == 0);
    CHECK(direction[1] + direction[2] <= 0);
    CHECK(direction != Point{0, 0, 0});
  }
}

TEST_CASE("an unbounded direction is reported in primitive integers") {
  const Unbounded error({ratio(2, 3), ratio(-4, 9)});
  CHECK(error.direction() == Point{3, -2});
  CHECK(std::string(error.what()) == "region is unbounded in direction (3, -2)");
}

TEST_CASE("a cross-polytope has 2n vertices and 2^n facets of n vertices each") {
  for (std::size_t n = 1; n <= 4; ++n) {
    CAPTURE(n);
    const Polytope polytope(n, cross_polytope(n));
    CHECK(polytope.vertices().size() == 2 * n);
    CHECK(polytope.facets().size() == std::size_t{1} << n);
    for (const std::vector<std::size_t>& facet : polytope.facets()) CHECK(facet.size() == n);
    check_sound(polytope, cross_polytope(n));
  }
}

TEST_CASE("a pyramid has four facets at its apex") {
  // The square [-1,1]^2 below (0, 0, 1).
  const Polytope pyramid(
      3, {{{1, 0, 1}, 1}, {{-1, 0, 1}, 1}, {{0, 1, 1}, 1}, {{0, -1, 1}, 1}, {{0, 0, -1}, 0}});
  CHECK(pyramid.vertices() ==
        std::vector<Point>{{-1, -1, 0}, {-1, 1, 0}, {0, 0, 1}, {1, -1, 0}, {1, 1, 0}});
  CHECK(pyramid.facets() == Facets{{2, 3, 4}, {0, 1, 2}, {1, 2, 4}, {0, 2, 3}, {0, 1, 3, 4}});
}

TEST_CASE("a cube cut through its vertices keeps them") {
  std::vector<Halfspace> halfspaces = cube(3, 0, 1);
  halfspaces.push_back({{1, 1, 1}, 2});  // through three corners, and cuts off (1, 1, 1)
  const Polytope cut(3, halfspaces);
  CHECK(cut.vertices().size() == 7);
  CHECK(cut.facets().size() == 7);
  check_sound(cut, halfspaces);
}

TEST_CASE("huge and tiny coefficients are exact") {
  const Rational huge = power(Rational(10), 50), tiny = 1 / huge;
  const Polytope triangle(2, {{{-tiny, 0}, 0}, {{0, -huge}, 0}, {{tiny, huge}, 1}});
  CHECK(triangle.vertices() == std::vector<Point>{{0, 0}, {0, tiny}, {huge, 0}});
}

TEST_CASE("a sliver is not flat") {
  const Rational tiny = 1 / power(Rational(10), 60);
  CHECK_FALSE(Polytope(2, {x_at_least_0, y_at_least_0, {{1, 1}, tiny}}).flat());
}

TEST_CASE("random polytopes satisfy the invariants, with redundant and duplicate halfspaces") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](int bound) { return static_cast<int>(random() % bound); };
    const std::size_t n = 1 + seed % 4;
    std::vector<Halfspace> halfspaces = cube(n, -2, 2);
    for (int i = 0; i < 6; ++i) {
      Halfspace halfspace{std::vector<Rational>(n), below(6)};
      for (Rational& entry : halfspace.normal) entry = below(5) - 2;
      halfspaces.push_back(halfspace);
      if (below(3) == 0) halfspaces.push_back(halfspace);
    }
    std::shuffle(halfspaces.begin(), halfspaces.end(), random);
    const Polytope polytope(n, halfspaces);
    if (!polytope.flat()) {
      check_sound(polytope, halfspaces);
      CHECK(Polytope(n, polytope.halfspaces()).vertices() == polytope.vertices());
    }
  }
}

TEST_CASE("polytopes can be built in several threads") {
  const std::vector<Point> expected = Polytope(3, cross_polytope(3)).vertices();
  std::vector<int> right(4);
  std::vector<std::thread> threads;
  for (int& count : right)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) count += Polytope(3, cross_polytope(3)).vertices() == expected;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<int>{50, 50, 50, 50});
}

}  // namespace
}  // namespace wmi::tests
