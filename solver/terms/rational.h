#pragma once

#include <gmpxx.h>

#include <string>
#include <string_view>

namespace wmi {

using Integer = mpz_class;

/// An exact number. `ratio(2, 4)` is 1/2; `Rational(2, 4)` is not reduced, and is unequal to 1/2.
using Rational = mpq_class;

inline Rational ratio(const Integer& numerator, const Integer& denominator) {
  Rational result(numerator, denominator);
  result.canonicalize();
  return result;
}

/// The exact value of a literal such as `12`, `0.1`, `1e-3` or `-2.5E+4`.
/// Throws Error when it is not a number or has more digits than `max_digits`.
Rational parse_number(std::string_view literal);

/// The value of a literal, or of one divided by another, with blanks around them: `0.5`, `1/3`,
/// ` -2 / 7 `.
Rational parse_fraction(std::string_view text);

/// Most digits of a literal, and largest size of its exponent.
inline constexpr std::size_t max_digits = 10'000;

/// The reduced fraction, such as `3/4` or `-2`, which `parse_fraction` reads.
inline std::string to_string(const Rational& value) { return value.get_str(); }

/// `base` to the power `exponent`.
Rational power(const Rational& base, unsigned exponent);

}  // namespace wmi
