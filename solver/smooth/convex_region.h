#pragma once

#include <optional>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/terms/polynomial.h"

namespace wmi {

class Polyhedron;

/// A convex region, bounded or not, given by its halfspaces.
struct ConvexRegion {
  std::size_t dimension = 0;
  std::vector<Halfspace> halfspaces;
  std::optional<Polytope> polytope;  // if it is bounded, or flat
  std::vector<Point> directions;     // otherwise: those in which it is unbounded

  ConvexRegion(std::size_t dimension, std::vector<Halfspace> halfspaces);

  bool flat() const { return polytope && polytope->flat(); }
  /// One halfspace for each facet.
  std::vector<Halfspace> facets() const;
  /// The least and the largest value of a coordinate; nullopt where it is unbounded.
  std::optional<Rational> least(Variable coordinate) const { return end(coordinate, -1); }
  std::optional<Rational> most(Variable coordinate) const { return end(coordinate, 1); }
  /// A direction of a line in the region, if there is one.
  std::optional<Point> line() const;

 private:
  Polyhedron unbounded_body() const;
  std::optional<Rational> end(Variable coordinate, int sign) const;
};

}  // namespace wmi
