#pragma once

#include <cstddef>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// A region as a product of polytopes in disjoint sets of coordinates: a box in 20 dimensions
/// has a million vertices, but is a product of 20 intervals.
struct Region {
  struct Factor {
    std::vector<Variable> coordinates;  // ascending
    Polytope polytope;
  };
  std::vector<Factor> factors;  // none of them flat
  bool flat = false;

  std::size_t vertex_count() const;
};

/// Throws Unbounded if the region has infinite volume.
Region make_region(std::size_t dimension, const std::vector<Halfspace>& halfspaces);

}  // namespace wmi
