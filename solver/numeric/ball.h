#pragma once

#include <arb.h>

#include "solver/terms/error.h"
#include "solver/terms/interval.h"

namespace wmi {

/// A real number with a bound on its error, for values that no rational holds: exp, erf, roots.
///
/// An owner of Arb's `arb_t`, to be handed to its functions. Private to the solver's sources:
/// this is the one header that shows Arb, and no public header includes it.
///
///     Ball x = ball(ratio(1, 3), 100), y;
///     arb_exp(y, x, 100);
///     interval(y);  // holds e^(1/3)
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

/// The number to `precision` bits, with what rounding costs.
Ball ball(const Rational& value, slong precision);
/// A ball that holds the interval.
Ball ball(const Interval& value, slong precision);

/// The ends of the ball, exactly: [0, 2^-100000] or its mirror where they are smaller than that.
/// Throws GaveUp when it is not finite, or larger than 2^100000.
Interval interval(const Ball& value);

/// How many bits hold `digits` decimal digits, and a few to spare.
constexpr slong bits_of(unsigned digits) { return static_cast<slong>(digits) * 10 / 3 + 8; }

/// The ball is that close to its middle: its radius is at most 10^-digits of every member's size.
bool has_digits(const Ball& value, unsigned digits);

/// What `compute(bits)` gives, with more and more bits until it has that many digits. Throws GaveUp
/// where `most_bits` do not suffice.
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
