#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/geometry/integers.h"
#include "solver/terms/error.h"

namespace wmi {

/// A region has infinite volume; names a direction in which it is unbounded.
class Unbounded : public Error {
 public:
  explicit Unbounded(const Point& direction);

  const Point& direction() const { return direction_; }

 private:
  Point direction_;
};

/// The direction that is easiest to read: along an axis if there is such.
const Point& plainest(const std::vector<Point>& directions);

/// A bounded convex polytope in n dimensions, with exact vertices.
///
/// A polytope is a value: build it from halfspaces, copy it, ask it questions.
/// Faces have no volume, so `<` and `<=` are the same halfspace here.
///
///     Polytope triangle(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}});
///     triangle.vertices();  // (0,0) (0,1) (1,0)
///
/// It is stored in integers: a vertex x as (q, q x) with q > 0, a facet a.x <= b as (b, -a), both
/// without a common divisor, so that the scalar product of the two is 0 if the vertex is on the
/// facet and positive otherwise. In 0 dimensions there is one point, and its volume is 1.
class Polytope {
 public:
  /// Throws Unbounded if the region has infinite volume. A region without volume is flat, bounded
  /// or not, and has no vertices and no facets. Vertices are in lexicographic order, so equal
  /// polytopes have equal vertices; facets are in the order of the halfspaces.
  Polytope(std::size_t dimension, const std::vector<Halfspace>& halfspaces);

  /// From known vertices and facets. For each facet, `incidences` has a bit for each vertex,
  /// rounded up to whole words.
  Polytope(std::size_t dimension, Integers homogeneous_vertices, Integers rows,
           std::vector<std::uint64_t> incidences);

  std::size_t dimension() const { return dimension_; }
  /// True when the polytope has no volume: any integral over it is zero.
  bool flat() const { return homogeneous_vertices_.size() == 0; }

  std::size_t vertex_count() const { return homogeneous_vertices_.size() / (dimension_ + 1); }
  std::size_t facet_count() const { return rows_.size() / (dimension_ + 1); }
  /// (q, q x) of each vertex, one after the other; (b, -a) of each facet.
  const Integers& homogeneous_vertices() const { return homogeneous_vertices_; }
  const Integers& rows() const { return rows_; }
  /// The vertices of a facet, as bits.
  std::span<const std::uint64_t> incidence(std::size_t facet) const {
    const std::size_t words = (vertex_count() + 63) / 64;
    return std::span(incidences_).subspan(facet * words, words);
  }

  /// The same as fractions and lists: convenient, but slower to compute with.
  std::vector<Point> vertices() const;
  std::vector<Halfspace> halfspaces() const;
  std::vector<std::vector<std::size_t>> facets() const;

 private:
  std::size_t dimension_;
  Integers homogeneous_vertices_;
  Integers rows_;
  std::vector<std::uint64_t> incidences_;
};

}  // namespace wmi
