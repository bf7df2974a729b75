#pragma once

#include <cstdint>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/terms/enclosed_polynomial.h"

namespace wmi {

/// The volume of a polytope with enclosed vertices and, for moments, the shares that the faces have
/// in it: the recurrence of a pulling triangulation in which common faces are shared. Requires that
/// the processor rounds to nearest.
struct EnclosedMeasures {
  /// A face with its apex and its pyramids, `first` to `last`. A vertex has none.
  struct Face {
    std::uint32_t apex = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  /// The face that a pyramid stands on, and bounds on its share of the volume.
  struct Pyramid {
    std::uint32_t base;
    double least;
    double most;
  };

  DoubleInterval volume;          // in coordinates x
  std::vector<Face> faces;        // each after those that its pyramids stand on; the region is last
  std::vector<Pyramid> pyramids;  // both are empty unless asked for

  /// nullptr if a number leaves the range of doubles, or the region has more than 12 dimensions or
  /// 512 vertices. The result is valid until the next call in this thread.
  static const EnclosedMeasures* of(const EnclosedPolytope& region, bool with_faces);
};

}  // namespace wmi
