#pragma once

#include "solver/terms/rational.h"

namespace wmi {

/// A closed interval that contains the true value; exact when its ends are equal.
struct Interval {
  Rational lower;
  Rational upper;

  Interval() = default;
  Interval(const Rational& point)
      : lower(point), upper(point) {}  // NOLINT: a number is an interval
  Interval(const Rational& low, const Rational& high) : lower(low), upper(high) {}

  bool exact() const { return lower == upper; }
  bool contains(const Rational& value) const { return lower <= value && value <= upper; }
  Rational midpoint() const { return exact() ? lower : Rational((lower + upper) / 2); }

  Interval& operator+=(const Interval& other);

  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval operator+(Interval a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
/// Requires that `b` does not contain 0.
Interval operator/(const Interval& a, const Interval& b);
/// The set of powers of the members of `base`: an even power is never negative.
Interval power(const Interval& base, unsigned exponent);
/// Whether it is so narrow that this many digits of every number in it are the same, give or take one
/// unit of the last.
bool has_digits(const Interval& interval, unsigned digits);
/// The smallest interval that contains both.
Interval hull(const Interval& a, const Interval& b);

}  // namespace wmi
