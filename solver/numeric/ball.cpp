#include "solver/numeric/ball.h"

#include <flint/fmpq.h>

#include <algorithm>

namespace wmi {
namespace {

constexpr slong most_exponent = 100'000;

Rational rational(const arf_t value) {
  fmpq_t exact;
  fmpq_init(exact);
  arf_get_fmpq(exact, value);
  Rational result;
  fmpq_get_mpq(result.get_mpq_t(), exact);
  fmpq_clear(exact);
  return result;
}

Rational power_of_two(slong exponent) {
  Rational result(1);
  if (exponent >= 0)
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return result;
}

/// One end of a ball, rounded outwards if it is too small to be written out.
Rational end(const arf_t value, bool upper) {
  if (arf_cmpabs_2exp_si(value, most_exponent) > 0)
    throw GaveUp("a value is larger than 2^" + std::to_string(most_exponent));
  const int sign = arf_sgn(value);
  if (sign == 0 || arf_cmpabs_2exp_si(value, -most_exponent) >= 0) return rational(value);
  if (upper == (sign > 0)) return sign * power_of_two(-most_exponent);
  return 0;
}

}  // namespace

Ball ball(const Rational& value, slong precision) {
  fmpq_t exact;
  fmpq_init(exact);
  fmpq_set_mpq(exact, value.get_mpq_t());
  Ball result;
  arb_set_fmpq(result, exact, precision);
  fmpq_clear(exact);
  return result;
}

Ball ball(const Interval& value, slong precision) {
  Ball lower = ball(value.lower, precision);
  if (value.exact()) return lower;
  const Ball upper = ball(value.upper, precision);
  Ball result;
  arb_union(result, lower, upper, precision);
  return result;
}

Interval interval(const Ball& value) {
  if (!arb_is_finite(value)) throw GaveUp("a value is not finite");
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  // Round outwards, to enough bits that the rounding is small compared to the radius.
  const slong accuracy = arb_rel_accuracy_bits(value);
  const slong bits = arb_bits(value) + 64 + std::clamp(accuracy, slong{0}, most_exponent);
  arb_get_lbound_arf(lower, value, bits);
  arb_get_ubound_arf(upper, value, bits);
  struct Clear {
    arf_struct *a, *b;
    ~Clear() {
      arf_clear(a);
      arf_clear(b);
    }
  } const clear{lower, upper};
  return {end(lower, false), end(upper, true)};
}

bool has_digits(const Ball& value, unsigned digits) {
  if (!arb_is_finite(value)) return false;
  if (arb_is_exact(value)) return true;
  return arb_rel_accuracy_bits(value) >= bits_of(digits) - 4;
}

}  // namespace wmi
