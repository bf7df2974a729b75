#pragma once

#include <optional>
#include <span>

#include "solver/numeric/ball.h"

namespace wmi {

/// P(X_1 > 0, ..., X_n > 0) for a normal X with this mean and covariance (row by row, positive
/// definite), n at most 3, with so many bits in sums of probabilities: a small one among them may have
/// fewer digits than that, which its radius says. An integral that is below 2^-negligible is not
/// computed but enclosed: many deviations from the mean it takes long. Private to the solver's sources.
Ball normal_orthant(std::span<const Rational> mean, std::span<const Rational> covariance,
                    slong bits, std::optional<slong> negligible = std::nullopt);

/// The same for two numbers with a relative error: quicker where the probability is small.
Ball normal_quadrant(std::span<const Rational> mean, std::span<const Rational> covariance,
                     unsigned digits);

}  // namespace wmi
