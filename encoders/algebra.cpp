#include "encoders/algebra.h"

#include "solver/terms/error.h"

namespace wmi::encoders {

// 1/sqrt(x) = sqrt(1/x). With 1/x = n/d, s is chosen such that the integer root of n 2^(2s) / d has
// exactly 54 bits; the last of them decides the rounding to 53.
Rational inverse_root(const Rational& x) {
  if (x <= 0) throw Error("there is no 1/sqrt of " + wmi::to_string(x));
  const Integer &numerator = x.get_den(), &denominator = x.get_num();
  const auto bits = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  const auto root = [&](long shift, bool& exact) {
    Integer n = numerator, d = denominator, quotient, remainder;
    if (shift >= 0)
      n <<= static_cast<unsigned long>(2 * shift);
    else
      d <<= static_cast<unsigned long>(-2 * shift);
    mpz_fdiv_qr(quotient.get_mpz_t(), remainder.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
    Integer result = sqrt(quotient);
    exact = remainder == 0 && result * result == quotient;
    return result;
  };
  bool exact = false;
  long shift = 54 - (bits(numerator) - bits(denominator)) / 2;
  Integer found = root(shift, exact);
  while (bits(found) > 54) found = root(--shift, exact);
  while (bits(found) < 54) found = root(++shift, exact);

  const bool beyond_middle = found % 2 != 0;
  Integer mantissa = found / 2;
  if (beyond_middle && (!exact || mantissa % 2 != 0)) ++mantissa;
  const long exponent = 1 - shift;
  Integer power = 1;
  power <<= static_cast<unsigned long>(exponent < 0 ? -exponent : exponent);
  return exponent < 0 ? ratio(mantissa, power) : Rational(mantissa * power);
}

Rational reciprocal(const Rational& x) {
  if (x == 0) throw Error("a division by 0");
  return 1 / x;
}

}  // namespace wmi::encoders
