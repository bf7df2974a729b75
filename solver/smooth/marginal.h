#pragma once

#include <optional>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// An integral in one dimension less, after a line in the region was integrated out. The integral is
/// that of the integrand over the halfspaces, times the square root of pi * `square`.
struct Marginal {
  SmoothIntegrand integrand;
  std::vector<Halfspace> halfspaces;
  Rational square;
  Variable left_out = 0;  // the coordinate that is 0 where the integral is taken

  /// A point of fewer coordinates among those of the region.
  Point lifted(const Point& point) const;
};

/// Integrates a polynomial times e^q, q a quadratic polynomial that decreases along the line, over all
/// multiples of `line`, on which no halfspace depends: in closed form. nullopt for other integrands.
std::optional<Marginal> integrate_out(const SmoothIntegrand& integrand,
                                      const std::vector<Halfspace>& halfspaces, const Point& line);

}  // namespace wmi
