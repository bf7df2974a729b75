#pragma once

#include <arb.h>

#include "solver/terms/error.h"
#include "solver/terms/interval.h"

namespace wmi {

/// A real number with a bound on its error, for values that are not rational: exp, erf, roots.
///
/// Owns an `arb_t` of Arb, and converts to it. Private to the solver's sources: no public header
/// includes Arb.
///
///     Ball x = ball(ratio(1, 3), 100), y;
///     arb_exp(y, x, 100);
///     interval(y);  // contains e^(1/3)
class Ball {
 public:
  Ball() { arb_init(value_); }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(value_, other.value_); }
  ~Ball() { arb_clear(value_); }
  Ball& operator=(const Ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }

  operator arb_ptr() { return value_; }           // NOLINT: Arb's functions take it
  operator arb_srcptr() const { return value_; }  // NOLINT

 private:
  arb_t value_;
};

/// The number rounded to `precision` bits, with its rounding error.
Ball ball(const Rational& value, slong precision);
/// A ball that contains the interval.
Ball ball(const Interval& value, slong precision);

/// The ends of the ball, exactly; a smaller end than 2^-100000 is rounded outwards to 0 or that.
/// Throws GaveUp when the ball is not finite, or larger than 2^100000.
Interval interval(const Ball& value);

/// Enough bits for `digits` decimal digits, with a few guard bits.
constexpr slong bits_of(unsigned digits) { return static_cast<slong>(digits) * 10 / 3 + 8; }

/// Whether the radius is at most 10^-digits times the size of every number in the ball.
bool has_digits(const Ball& value, unsigned digits);

/// The result of `compute(bits)`, with more and more bits until it has that many digits. Throws
/// GaveUp if `most_bits` do not suffice.
template <class Compute>
Ball refined(unsigned digits, Compute&& compute, slong most_bits = 1 << 17) {
  for (slong bits = bits_of(digits) + 32; bits <= most_bits; bits *= 2) {
    Ball result = compute(bits);
    if (has_digits(result, digits)) return result;
  }
  throw GaveUp("the value is too small against the terms that it is made of to have " +
               std::to_string(digits) + " digits");
}

}  // namespace wmi
