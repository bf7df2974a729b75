#pragma once

#include <optional>

#include "solver/numeric/ball.h"
#include "solver/smooth/convex_region.h"
#include "solver/smooth/normal_law.h"

namespace wmi {

/// The integral of e^q, q the exponent of a normal law in two or three coordinates, over a region that
/// is wide against its deviations: a sum over its vertices. nullopt for any other region, and where the
/// sum has fewer digits. Private to the solver's sources.
std::optional<Ball> integrate_normal_cones(const NormalLaw& law, const ConvexRegion& region,
                                           unsigned digits);

}  // namespace wmi
