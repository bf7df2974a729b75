#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "solver/geometry/enclosed_polytope.h"

namespace wmi {

/// Cuts a polytope with enclosed vertices by the hyperplane u_k = at, in normalised coordinates: the
/// parts below and above. The hyperplane must miss the enclosures of all vertices, so that the sides
/// of all vertices are certain, and with them the combinatorics of both parts; nullopt if it does
/// not, or has all vertices on one side.
///
///     EnclosedPolytope square;
///     square.dimension = 2;
///     square.vertices = {-1, -1, 1, -1, -1, 1, 1, 1};
///     square.radii = {0, 0, 0, 0};
///     square.incidences = {0b0011, 0b1100, 0b0101, 0b1010};
///     square.centre = {0, 0};
///     square.half_width = {1, 1};
///     cut_at(square, 0, 0.5)->second;  // [1/2, 1] x [-1, 1]
std::optional<std::pair<EnclosedPolytope, EnclosedPolytope>> cut_at(const EnclosedPolytope& region,
                                                                    std::size_t coordinate,
                                                                    double at);

}  // namespace wmi
