#pragma once

#include <cmath>
#include <cstddef>

namespace wmi::bnn {

/// The Fourier series are computed for so many boxes or nodes side by side.
inline constexpr std::size_t lanes = 8;
/// The most coefficients of a series.
inline constexpr std::size_t long_series = 768;
/// A density below this part of the maximum counts as a tail.
inline constexpr double relative_limit = 1e-6;

/// The sum over the lanes, in their order.
inline double lane_sum(const double (&values)[lanes]) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// (real + i imaginary) *= (by_real + i by_imaginary).
inline void multiply(double& real, double& imaginary, double by_real, double by_imaginary) {
  const double next = real * by_real - imaginary * by_imaginary;
  imaginary = real * by_imaginary + imaginary * by_real;
  real = next;
}

/// The sum of term(m, cos((m + 1) angle), sin((m + 1) angle)) for m = 0 ... length - 1.
template <class Term>
double fourier_sum(std::size_t length, double angle, const Term& term) {
  const double c = std::cos(angle), s = std::sin(angle);
  double cosine = c, sine = s, sum = 0;
  for (std::size_t m = 0; m < length; ++m) {
    sum += term(m, cosine, sine);
    multiply(cosine, sine, c, s);
  }
  return sum;
}

}  // namespace wmi::bnn
