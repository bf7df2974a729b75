#pragma once

#include <optional>

#include "solver/numeric/ball.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// The integral of a polynomial times e^(a x^2 + b x + c), a <= 0, from one end to the other, in closed
/// form (erf); nullopt for an integrand of any other kind, and where an end is missing and the
/// integrand does not vanish there. Private to the solver's sources.
std::optional<Ball> integrate_gaussian(const SmoothIntegrand& integrand,
                                       const std::optional<Rational>& from,
                                       const std::optional<Rational>& to, unsigned digits);

}  // namespace wmi
