#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/numeric/ball.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// A halfspace that cuts an unbounded region to a bounded one, and an upper bound of the integral of
/// the integrand's size beyond it. Private to the solver's sources.
struct Tail {
  Halfspace cut;
  Ball most;
};

/// Cuts farther out for a larger `reach`, which is at least 1. The region (normal . x <= bound) has
/// volume, contains no line, and is unbounded in these directions. Throws Error if the integral
/// cannot be shown to converge.
Tail cut_tail(const SmoothIntegrand& integrand, std::span<const Halfspace> region,
              std::span<const Point> directions, unsigned reach);

}  // namespace wmi
