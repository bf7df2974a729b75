#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/terms/enclosed_polynomial.h"
#include "solver/terms/interval.h"

namespace wmi {

/// Integrals over a polytope whose vertices are known as enclosures, in machine arithmetic. Results
/// contain the exact integral of every such polynomial over every polytope that has these
/// combinatorics and vertices within these radii. nullopt if a number leaves the range of doubles,
/// or the region has more than 12 dimensions or 512 vertices.
///
/// All require that the processor rounds to nearest, as it does unless told otherwise.

/// The volume, in coordinates x. Allocates no memory in the long run.
std::optional<DoubleInterval> enclose_volume(const EnclosedPolytope& region);

std::optional<std::vector<DoubleInterval>> enclose_integrals_in_doubles(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region);

std::optional<std::vector<Interval>> enclose_integrals(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region);

}  // namespace wmi
