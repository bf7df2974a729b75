#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/terms/applied_function.h"
#include "solver/terms/interval.h"
#include "solver/terms/polynomial.h"
#include "solver/terms/refusal.h"

namespace wmi {

class Ball;
struct ConvexRegion;
struct SmoothIntegrand;

/// One way to integrate a product of smooth functions over a convex region: an enclosure of about so
/// many digits, or nullopt if the integrand or the region is of another kind.
struct SmoothIntegratorEntry {
  std::string_view name;
  std::string_view description;
  std::optional<Ball> (*integrate)(const SmoothIntegrand& integrand, const ConvexRegion& region,
                                   unsigned digits);
};

/// In the order in which they are tried.
std::span<const SmoothIntegratorEntry> smooth_integrators();

struct SmoothIntegrals {
  std::vector<Interval> integrals;
  bool flat = false;                   // the region has no volume
  std::vector<Refusal> refusals = {};  // of each integral, if there is any
};

/// The integrals of polynomials in coordinates and functions over a convex region, which may be
/// unbounded. Coordinates that neither the functions nor the region connect are integrated
/// separately. Each product has about so many digits; their sums may have fewer.
///
/// An integral that cannot be shown to converge is refused, or one that takes too long. Throws
/// Unbounded if there is a product of infinite volume without functions.
SmoothIntegrals integrate_smooth(std::span<const Polynomial> integrands,
                                 std::span<const AppliedFunction> functions, std::size_t dimension,
                                 const std::vector<Halfspace>& region, unsigned digits);

}  // namespace wmi
