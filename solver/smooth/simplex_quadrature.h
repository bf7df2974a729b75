#pragma once

#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/smooth/local_integrand.h"

namespace wmi {

/// The integral over a polytope that is not flat, enclosed so narrowly that its width is below
/// 10^-digits times its size; or, where it is small against the integral of the integrand's size,
/// 10^-2digits times that. Private to the solver's sources.
///
/// Throws Error if a function is not defined or not bounded on the polytope; GaveUp if that takes too
/// many evaluations.
Ball integrate_over_simplices(const SmoothIntegrand& integrand, const Polytope& region,
                              unsigned digits);

}  // namespace wmi
