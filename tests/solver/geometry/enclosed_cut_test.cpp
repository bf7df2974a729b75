#include "solver/geometry/enclosed_cut.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "solver/geometry/polytope.h"
#include "tests/solver/geometry/shapes.h"

namespace wmi::tests {
namespace {

EnclosedPolytope enclosed(const Polytope& region, double radius, std::mt19937& engine) {
  EnclosedPolytope result;
  result.dimension = region.dimension();
  result.centre.assign(result.dimension, 0);
  result.half_width.assign(result.dimension, 1);
  for (const Point& vertex : region.vertices()) {
    for (const Rational& entry : vertex)
      result.vertices.push_back(entry.get_d() +
                                radius * (static_cast<double>(engine() % 17) / 16 - 0.5));
    result.radii.push_back(radius + 1e-14);
  }
  for (std::size_t i = 0; i < region.facet_count(); ++i)
    result.incidences.insert(result.incidences.end(), region.incidence(i).begin(),
                             region.incidence(i).end());
  return result;
}

bool holds(const EnclosedPolytope& region, std::size_t v, const Point& point) {
  for (std::size_t j = 0; j < point.size(); ++j)
    if (abs(Rational(region.vertex(v)[j]) - point[j]) > Rational(region.radii[v])) return false;
  return true;
}

/// Is it the exact polytope, vertex by vertex and facet by facet?
void check_same(const EnclosedPolytope& found, const Polytope& expected) {
  REQUIRE(found.vertex_count() == expected.vertex_count());
  REQUIRE(found.facet_count() == expected.facet_count());
  std::vector<std::size_t> places;  // of each exact vertex
  for (const Point& vertex : expected.vertices())
    for (std::size_t v = 0; v < found.vertex_count(); ++v)
      if (holds(found, v, vertex)) {
        places.push_back(v);
        break;
      }
  REQUIRE(places.size() == expected.vertex_count());
  for (std::size_t i = 0; i < expected.facet_count(); ++i) {
    std::vector<std::uint64_t> bits(found.words());
    for (std::size_t v = 0; v < places.size(); ++v)
      if (expected.incidence(i)[v / 64] >> v % 64 & 1)
        bits[places[v] / 64] |= std::uint64_t{1} << places[v] % 64;
    bool seen = false;
    for (std::size_t f = 0; f < found.facet_count(); ++f)
      seen = seen || std::equal(bits.begin(), bits.end(), found.incidence(f).begin());
    CHECK(seen);
  }
}

TEST_CASE("both parts of a polytope are those that exact cuts give") {
  int cuts = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    std::mt19937 engine(seed);
    const auto number = [&](int size) {
      return static_cast<int>(engine() % (2 * size + 1)) - size;
    };
    const std::size_t n = 1 + seed % 4;
    std::vector<Halfspace> shape = seed % 7 == 0 ? cross_polytope(n) : cube(n, -1, 1);
    for (int i = 0; i < 3; ++i) {  // through corners too
      Halfspace side{std::vector<Rational>(n), ratio(std::abs(number(4)), 2)};
      for (Rational& entry : side.normal) entry = number(2);
      shape.push_back(side);
    }
    const Polytope region(n, shape);
    if (region.flat()) continue;
    const double radius = seed % 2 == 0 ? 0 : 1e-9;
    const EnclosedPolytope whole = enclosed(region, radius, engine);
    const std::size_t k = engine() % n;
    const double at = number(97) / 128.0 + 1e-3;
    const auto parts = cut_at(whole, k, at);
    if (!parts) continue;
    std::vector<Halfspace> below = shape, above = shape;
    Halfspace side{std::vector<Rational>(n), Rational(at)};
    side.normal[k] = 1;
    below.push_back(side);
    side.normal[k] = -1;
    side.bound = -side.bound;
    above.push_back(side);
    check_same(parts->first, Polytope(n, below));
    check_same(parts->second, Polytope(n, above));
    ++cuts;
  }
  CHECK(cuts > 200);
}

TEST_CASE("a hyperplane that may pass through a vertex cuts nothing, nor one beside the region") {
  std::mt19937 engine(1);
  const EnclosedPolytope square = enclosed(Polytope(2, cube(2, -1, 1)), 1e-6, engine);
  CHECK_FALSE(cut_at(square, 0, 1));
  CHECK_FALSE(cut_at(square, 0, 1 - 1e-7));
  CHECK_FALSE(cut_at(square, 1, 2));
  CHECK(cut_at(square, 1, 0.5));
}

}  // namespace
}  // namespace wmi::tests
