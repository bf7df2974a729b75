#pragma once

#include <cstddef>
#include <vector>

#include "solver/error.h"
#include "solver/halfspace.h"

namespace wmi {

/// A region of infinite volume, and a direction in which it goes on for ever.
class Unbounded : public Error {
 public:
  explicit Unbounded(Point direction);

  const Point& direction() const { return direction_; }

 private:
  Point direction_;
};

/// A bounded convex polytope in n dimensions, with exact vertices.
///
/// A polytope is a value: build it from halfspaces, copy it, ask it questions.
/// Faces have no volume, so `<` and `<=` are the same halfspace here.
///
///     Polytope triangle(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}});
///     triangle.vertices();  // (0,0) (0,1) (1,0)
///
/// In 0 dimensions there is one point, and its volume is 1.
class Polytope {
 public:
  /// Throws Unbounded if the halfspaces leave a region of infinite volume. A region without volume
  /// is flat, bounded or not; then it has no vertices and no facets.
  Polytope(std::size_t dimension, const std::vector<Halfspace>& halfspaces);

  std::size_t dimension() const { return dimension_; }
  /// Those that bound it, one for each facet, in the order in which they were given.
  const std::vector<Halfspace>& halfspaces() const { return halfspaces_; }

  /// In lexicographic order, so equal polytopes have equal vertex lists.
  const std::vector<Point>& vertices() const { return vertices_; }

  /// For each facet the numbers of the vertices on it, ascending.
  const std::vector<std::vector<std::size_t>>& facets() const { return facets_; }

  /// True when the polytope has no volume: any integral over it is zero.
  bool flat() const { return vertices_.empty(); }

 private:
  std::size_t dimension_;
  std::vector<Halfspace> halfspaces_;
  std::vector<Point> vertices_;
  std::vector<std::vector<std::size_t>> facets_;
};

}  // namespace wmi
