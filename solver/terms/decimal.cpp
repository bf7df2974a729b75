// Writes a rational in decimal with one exact division: numerator / denominator, one of them scaled
// by a power of ten, is the integer with all the digits wanted, and the remainder decides the
// rounding. The decimal exponent is first estimated from the leading bits, then corrected by the
// number of digits in the quotient, so the power of ten is never much larger than the number.
#include "solver/terms/decimal.h"

#include <cassert>
#include <cmath>
#include <cstdlib>

namespace wmi {
namespace {

Integer power_of_ten(unsigned long exponent) {
  Integer result;
  mpz_ui_pow_ui(result.get_mpz_t(), 5, exponent);
  return result << exponent;
}

/// The decimal exponent of a positive number, with an error of at most one.
long estimated_exponent(const Integer& numerator, const Integer& denominator) {
  long above = 0;
  long below = 0;
  const double leading = mpz_get_d_2exp(&above, numerator.get_mpz_t()) /
                         mpz_get_d_2exp(&below, denominator.get_mpz_t());
  const double binary = static_cast<double>(above - below) + std::log2(leading);
  return static_cast<long>(std::floor(binary * 0.30102999566398119521));  // log10(2)
}

/// A positive number as `mantissa` * 10^(exponent - digits + 1), `mantissa` of `digits` digits.
struct Scientific {
  Integer mantissa;
  long exponent;
};

/// A number truncated after its first digits; the part cut off is `rest` / `divisor`.
struct Division {
  Scientific number;
  Integer rest;
  Integer divisor;
};

Division divided(const Integer& numerator, const Integer& denominator, int digits) {
  const Integer least = power_of_ten(static_cast<unsigned long>(digits - 1));
  const Integer most = least * 10;
  for (long exponent = estimated_exponent(numerator, denominator);;) {
    const long scale = digits - 1 - exponent;
    const Integer power = power_of_ten(static_cast<unsigned long>(std::labs(scale)));
    Division result{{Integer(), exponent}, Integer(), denominator};
    Integer dividend = numerator;
    (scale >= 0 ? dividend : result.divisor) *= power;
    mpz_tdiv_qr(result.number.mantissa.get_mpz_t(), result.rest.get_mpz_t(), dividend.get_mpz_t(),
                result.divisor.get_mpz_t());
    if (result.number.mantissa < least)
      --exponent;
    else if (result.number.mantissa >= most)
      ++exponent;
    else
      return result;
  }
}

/// `rounding` applies to the magnitude: down is towards zero.
Scientific rounded(const Division& division, int digits, Rounding rounding) {
  Scientific result = division.number;
  bool up = rounding == Rounding::up && division.rest != 0;
  if (rounding == Rounding::nearest) {
    const int half = cmp(Integer(division.rest * 2), division.divisor);
    up = half > 0 || (half == 0 && mpz_odd_p(result.mantissa.get_mpz_t()));
  }
  if (up && ++result.mantissa == power_of_ten(static_cast<unsigned long>(digits))) {  // 9.99 -> 10
    result.mantissa /= 10;
    ++result.exponent;
  }
  return result;
}

/// In the format of printf's %g.
std::string written(const Scientific& number, int digits) {
  std::string text = number.mantissa.get_str();
  text.resize(text.find_last_not_of('0') + 1);
  const long exponent = number.exponent;
  if (exponent < -4 || exponent >= digits) {
    if (text.size() > 1) text.insert(1, ".");
    const std::string size = std::to_string(std::labs(exponent));
    return text + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + text;
  const auto whole = static_cast<std::size_t>(exponent) + 1;  // digits before the point
  if (text.size() <= whole) return text + std::string(whole - text.size(), '0');
  return text.insert(whole, ".");
}

}  // namespace

std::string decimal(const Rational& value, int digits, Rounding rounding) {
  assert(digits >= 1);
  const int sign = sgn(value);
  if (sign == 0) return "0";
  if (sign < 0 && rounding != Rounding::nearest)
    rounding = rounding == Rounding::up ? Rounding::down : Rounding::up;
  const Division division = divided(abs(value.get_num()), value.get_den(), digits);
  return (sign < 0 ? "-" : "") + written(rounded(division, digits, rounding), digits);
}

}  // namespace wmi
