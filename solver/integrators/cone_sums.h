#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/terms/interval.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// The integrals over a polytope, exact or to so many digits, from the cones at its vertices: the
/// law of a generic form (Brion's theorem, solver/laws/vertex_cones.h) has them as its mass. Time
/// and memory grow with the vertices, and not with the faces, of which there are many more in high
/// dimensions. Returns nullopt if a vertex is on more than n facets. Throws PlanTooLarge.
std::optional<std::vector<Interval>> integrate_by_cones(std::span<const Polynomial> integrands,
                                                        const Polytope& region,
                                                        unsigned digits = 0);

/// Whether this is faster than by faces, as measured, or the faces would take much memory.
bool prefers_cones(const Polytope& region, unsigned degree);

}  // namespace wmi
