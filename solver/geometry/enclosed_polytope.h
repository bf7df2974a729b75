#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wmi {

/// A full-dimensional polytope with exact combinatorics and enclosures of its vertices.
///
/// Vertices are in normalised coordinates u, which are at most about 1 in size: a vertex is at
/// x = centre + half_width * u, componentwise, where u is anywhere within its radius. Facets are
/// known as the sets of vertices on them; none is redundant, and each has all of its vertices.
///
///     EnclosedPolytope half;  // the interval [0, 10.5], its right end known to 2^-40
///     half.dimension = 1;
///     half.vertices = {-1, 0.05};
///     half.radii = {0, 0x1p-40};
///     half.incidences = {0b01, 0b10};
///     half.centre = {10};
///     half.half_width = {10};
struct EnclosedPolytope {
  std::size_t dimension = 0;
  std::vector<double> vertices;            // midpoints in u, one vertex after the other
  std::vector<double> radii;               // by vertex: no coordinate is farther from its midpoint
  std::vector<std::uint64_t> incidences;   // by facet, a bit for each vertex, in whole words
  std::vector<double> centre, half_width;  // exact; half-widths are positive

  std::size_t vertex_count() const { return radii.size(); }
  std::size_t words() const { return (vertex_count() + 63) / 64; }
  std::size_t facet_count() const { return incidences.size() / words(); }
  std::span<const double> vertex(std::size_t v) const {
    return std::span(vertices).subspan(v * dimension, dimension);
  }
  /// The vertices of a facet, as bits.
  std::span<const std::uint64_t> incidence(std::size_t facet) const {
    return std::span(incidences).subspan(facet * words(), words());
  }
};

}  // namespace wmi
