#include "solver/terms/interval.h"

#include <algorithm>
#include <cassert>

namespace wmi {

Interval& Interval::operator+=(const Interval& other) {
  const bool point = exact() && other.exact();
  lower += other.lower;
  if (point)
    upper = lower;
  else
    upper += other.upper;
  return *this;
}

Interval operator+(Interval a, const Interval& b) { return a += b; }

Interval operator-(const Interval& a, const Interval& b) {
  return {a.lower - b.upper, a.upper - b.lower};
}

Interval operator*(const Interval& a, const Interval& b) {
  if (a.exact() && b.exact()) return Rational(a.lower * b.lower);
  const auto [least, most] = std::minmax<Rational>(
      {a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return {least, most};
}

Interval operator/(const Interval& a, const Interval& b) {
  assert(!b.contains(0));
  return a * Interval(1 / b.upper, 1 / b.lower);
}

Interval power(const Interval& base, unsigned exponent) {
  const Rational lower = power(base.lower, exponent), upper = power(base.upper, exponent);
  if (exponent % 2 == 1) return {lower, upper};
  if (exponent > 0 && base.contains(0)) return {0, std::max(lower, upper)};
  return {std::min(lower, upper), std::max(lower, upper)};
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

bool has_digits(const Interval& interval, unsigned digits) {
  if (interval.exact()) return true;
  if (interval.lower <= 0 && interval.upper >= 0) return false;
  const Rational least = interval.lower > 0 ? interval.lower : Rational(-interval.upper);
  Integer scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, digits);
  return (interval.upper - interval.lower) * scale <= least;
}

}  // namespace wmi
