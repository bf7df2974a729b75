#pragma once

#include "solver/terms/rational.h"

namespace wmi::tests {

/// 2^exponent, also beyond the range of doubles.
inline Rational power_of_two(int exponent) {
  Rational result = 1;
  if (exponent >= 0)
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<unsigned>(exponent));
  else
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<unsigned>(-exponent));
  return result;
}

}  // namespace wmi::tests
