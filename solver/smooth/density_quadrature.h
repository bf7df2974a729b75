#pragma once

#include <optional>

#include "solver/geometry/polytope.h"
#include "solver/numeric/ball.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// The integral of a polynomial times e^q, q a concave quadratic polynomial, over a polytope in
/// three to eight dimensions: a linear change of variables makes q a sum of functions of single
/// coordinates, and integrate_under_density does the rest, in doubles. nullopt if it is of another
/// kind, or doubles do not give so many digits. Private to the solver's sources.
std::optional<Ball> integrate_by_density(const SmoothIntegrand& integrand, const Polytope& region,
                                         unsigned digits);

}  // namespace wmi
