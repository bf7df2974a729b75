#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "solver/terms/rational.h"

namespace wmi {

/// Cheap bounds on binary logarithms, from which the width of numbers is derived before they are
/// computed.
///
///     log_bounds::log_above(Integer(8));  // a little more than 3
///     log_bounds::log_sum(3, 3);          // a little more than 4
namespace log_bounds {

constexpr double zero = -std::numeric_limits<double>::infinity();  // the logarithm of 0

/// An upper bound on log(mantissa 2^exponent) for a mantissa in [1/2, 1): the tangent at 1 is above
/// the logarithm, and roundings are far below the margin.
inline double log_above(double mantissa, long exponent) {
  return static_cast<double>(exponent) + (mantissa - 1) * 1.4426950408889634 + 1e-9;
}

/// The first 32 bits of a positive number, as a fraction of 2^exponent.
struct Leading {
  std::uint64_t bits;
  long exponent;

  explicit Leading(const Integer& value) {
    const std::size_t words = mpz_size(value.get_mpz_t());
    mp_limb_t top = mpz_getlimbn(value.get_mpz_t(), static_cast<mp_size_t>(words) - 1);
    const int spare = std::countl_zero(top);
    top <<= spare;
    if (words > 1 && spare > 32)  // the first limb has fewer than 32 bits
      top |= mpz_getlimbn(value.get_mpz_t(), static_cast<mp_size_t>(words) - 2) >> (64 - spare);
    bits = top >> 32;
    exponent = static_cast<long>(words * 64) - spare;
  }
};

/// Of a number that is not negative.
inline double log_above(const Integer& value) {
  if (value == 0) return zero;
  const Leading leading(value);
  return log_above(static_cast<double>(leading.bits + 1) * 0x1p-32, leading.exponent);
}
/// Of a positive number, which may be the rounded value of another.
inline double log_above(double value) {
  constexpr std::uint64_t half = 0x3fe0000000000000, mantissa = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return log_above(std::bit_cast<double>(half | (bits & mantissa)),
                   static_cast<long>(bits >> 52) - 1022);
}
/// A lower bound for a positive number: the chord of the logarithm on [1/2, 1].
inline double log_below(const Integer& value) {
  const Leading leading(value);
  return static_cast<double>(leading.exponent) + static_cast<double>(leading.bits) * 0x1p-31 - 2 -
         1e-9;
}

/// An upper bound on log(2^a + 2^b): log(1 + y) <= y log(e), and y = 2^(low - high) is rounded up.
inline double log_sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  if (low == zero) return high;
  const double gap = std::min(high - low, 1000.0);
  const double y = std::bit_cast<double>((1023 - static_cast<std::uint64_t>(gap)) << 52);
  return high + std::min(1.0, y * 1.4426950408889634) + 1e-9;
}

/// The machine words that hold so many bits.
inline std::size_t words_for(double bits) {
  return bits < 64 ? 1 : static_cast<std::size_t>(bits / 64) + 1;
}

}  // namespace log_bounds
}  // namespace wmi
