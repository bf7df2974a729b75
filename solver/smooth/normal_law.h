#pragma once

#include <optional>
#include <vector>

#include "solver/terms/polynomial.h"

namespace wmi {

/// A concave quadratic polynomial as the exponent of a normal law: `greatest` less half the square of the
/// distance from the mean, in deviations.
///
///     const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
///     normal_law(x * y - x * x - y * y, 2)->covariance;  // (2/3, 1/3), (1/3, 2/3)
struct NormalLaw {
  std::vector<Rational> mean;
  std::vector<std::vector<Rational>> precision;  // the inverse of the covariance
  std::vector<std::vector<Rational>> covariance;
  Rational determinant;  // of the covariance
  Rational greatest;     // the value of q at the mean
};

/// nullopt if the polynomial is not quadratic, or not strictly concave in all its coordinates.
std::optional<NormalLaw> normal_law(const Polynomial& exponent, std::size_t dimension);

}  // namespace wmi
