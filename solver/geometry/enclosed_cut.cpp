// No vertex is on the hyperplane, so the cut is generic: of each edge that it crosses there is one new
// vertex, the facets of a part are those that have a vertex on its side, and the cut itself.
//
// The new vertex on the edge from a to b is a + t (b - a), where t = n / (n + m) with the distances n
// and m of both ends from the hyperplane. They are known to within the radii, and so is t. With ta the
// midpoint of its enclosure and tr the radius,
//
//     |a' + ta (b' - a') - (a + t (b - a))| <= max(r(a), r(b)) + tr |b' - a'|
//
// plus the rounding of the left side, which is below 2^-50 (|a'| + |b'|).

#include "solver/geometry/enclosed_cut.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "solver/geometry/incidences.h"

namespace wmi {
namespace {

enum class Side : std::uint8_t { below, above };

/// More than what a few roundings to nearest take away.
constexpr double up = 1 + 0x1p-48, down = 1 - 0x1p-48;
/// More than what underflow takes away.
constexpr double tiny = 0x1p-1000;

/// For each vertex the facets it is on, as bits: `words` words each.
struct Transposed {
  std::size_t words;
  std::vector<std::uint64_t> bits;

  explicit Transposed(const EnclosedPolytope& region)
      : words((region.facet_count() + 63) / 64), bits(words * region.vertex_count()) {
    for (std::size_t f = 0; f < region.facet_count(); ++f)
      for (std::size_t v = 0; v < region.vertex_count(); ++v)
        if (region.incidence(f)[v / 64] >> v % 64 & 1)
          bits[v * words + f / 64] |= std::uint64_t{1} << f % 64;
  }
};

struct Crossing {
  std::size_t below, above;    // the ends of the edge
  std::vector<double> vertex;  // where it is crossed
  double radius;
};

Crossing cross(const EnclosedPolytope& region, std::size_t below, std::size_t above, std::size_t k,
               double at) {
  const auto a = region.vertex(below), b = region.vertex(above);
  const double ra = region.radii[below], rb = region.radii[above];
  const double n = at - a[k], m = b[k] - at;  // each rounded once
  const double least_n = n * down - ra, least_m = m * down - rb;
  double from = 0, to = 1;  // of t
  if (least_n > 0 && least_m > 0) {
    const double most_n = n * up + ra * up, most_m = m * up + rb * up;
    from = least_n * down / (least_n * down + most_m) * down;
    to = std::min(1.0, most_n / (most_n + least_m * down) * up);
  }
  const double t = (from + to) / 2, t_radius = (to - from) / 2 * up + 0x1p-52;
  Crossing result{below, above, std::vector<double>(a.begin(), a.end()), 0};
  for (std::size_t j = 0; j < result.vertex.size(); ++j) {
    const double edge = b[j] - a[j];
    result.vertex[j] = j == k ? at : a[j] + t * edge;
    if (j == k) continue;
    const double radius = std::max(ra, rb) + t_radius * std::abs(edge) +
                          0x1p-50 * (std::abs(a[j]) + std::abs(b[j])) + tiny;
    result.radius = std::max(result.radius, radius * up);
  }
  return result;
}

EnclosedPolytope part(const EnclosedPolytope& region, const std::vector<Side>& sides,
                      const std::vector<Crossing>& crossings, Side side) {
  EnclosedPolytope result;
  result.dimension = region.dimension;
  result.centre = region.centre;
  result.half_width = region.half_width;
  std::vector<std::size_t> kept;
  for (std::size_t v = 0; v < sides.size(); ++v) {
    if (sides[v] != side) continue;
    kept.push_back(v);
    const auto vertex = region.vertex(v);
    result.vertices.insert(result.vertices.end(), vertex.begin(), vertex.end());
    result.radii.push_back(region.radii[v]);
  }
  for (const Crossing& crossing : crossings) {
    result.vertices.insert(result.vertices.end(), crossing.vertex.begin(), crossing.vertex.end());
    result.radii.push_back(crossing.radius);
  }
  const std::size_t words = result.words();
  const auto add_facet = [&](const auto& contains_old, const auto& contains_new) {
    std::vector<std::uint64_t> bits(words);
    const auto set = [&](std::size_t v) { bits[v / 64] |= std::uint64_t{1} << v % 64; };
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (contains_old(kept[i])) set(i);
    for (std::size_t i = 0; i < crossings.size(); ++i)
      if (contains_new(crossings[i])) set(kept.size() + i);
    result.incidences.insert(result.incidences.end(), bits.begin(), bits.end());
  };
  for (std::size_t f = 0; f < region.facet_count(); ++f) {
    const auto on = [&](std::size_t v) { return (region.incidence(f)[v / 64] >> v % 64 & 1) != 0; };
    if (std::ranges::any_of(kept, on))
      add_facet(on, [&](const Crossing& edge) { return on(edge.below) && on(edge.above); });
  }
  add_facet([](std::size_t) { return false; }, [](const Crossing&) { return true; });
  return result;
}

}  // namespace

std::optional<std::pair<EnclosedPolytope, EnclosedPolytope>> cut_at(const EnclosedPolytope& region,
                                                                    std::size_t coordinate,
                                                                    double at) {
  const std::size_t count = region.vertex_count();
  std::vector<Side> sides(count);
  for (std::size_t v = 0; v < count; ++v) {
    const double distance = region.vertex(v)[coordinate] - at;
    if (!(std::abs(distance) * down > region.radii[v])) return std::nullopt;
    sides[v] = distance < 0 ? Side::below : Side::above;
  }
  if (std::ranges::adjacent_find(sides, std::not_equal_to<>()) == sides.end()) return std::nullopt;
  const Transposed facets(region);
  const Incidences incidences{facets.bits.data(), count, facets.words};
  std::vector<Crossing> crossings;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      if (sides[a] == Side::below && sides[b] == Side::above &&
          incidences.common(a, b) + 1 >= region.dimension && incidences.alone(a, b))
        crossings.push_back(cross(region, a, b, coordinate, at));
  return std::pair(part(region, sides, crossings, Side::below),
                   part(region, sides, crossings, Side::above));
}

}  // namespace wmi
