#pragma once

#include <map>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// The smooth functions of networks, as in torch; gelu in its exact form x Phi(x).
///
///     value_of(Smooth::tanh, ratio(1, 2));  // an interval around 0.4621...
enum class Smooth { tanh, sigmoid, gelu, softplus, hardswish };

/// An enclosure of the function at x, of width below 2^-60 for x between -32 and 32.
Interval value_of(Smooth function, const Rational& x);

/// The largest multiple of 2^-bits that is not above x, and the smallest that is not below.
Rational rounded_down(const Rational& x, unsigned bits);
Rational rounded_up(const Rational& x, unsigned bits);

/// An asymptote, which a function approaches from above or from below.
struct Asymptote {
  Rational slope, constant;
  bool from_above;

  Rational at(const Rational& x) const { return constant + slope * x; }
};

/// The values, second derivative and asymptotes of a smooth function. Values are cached.
class SmoothCurve {
 public:
  explicit SmoothCurve(Smooth function) : function_(function) {}

  const Interval& value(const Rational& x) { return cached(values_, x, function_); }

  /// An enclosure of the second derivative between a and b, which must not have a kink between.
  Interval second_derivative(const Rational& a, const Rational& b);

  /// The points at which the function is not differentiable twice.
  std::vector<Rational> kinks() const;

  Asymptote left() const;
  Asymptote right() const;
  /// The largest distance of the function from its asymptotes beyond the range.
  Rational tail_distance(const Rational& low, const Rational& high);
  /// The least distance of both ends of a range from 0, so that the distance to the asymptote is
  /// convex from 1/64 inside the end on.
  Rational least_reach() const;

 private:
  static const Interval& cached(std::map<Rational, Interval>& values, const Rational& x,
                                Smooth function);
  const Interval& logistic(const Rational& x) { return cached(others_, x, Smooth::sigmoid); }
  const Interval& gelu_second_derivative(const Rational& square);

  Smooth function_;
  std::map<Rational, Interval> values_, others_;
};

}  // namespace wmi::encoders
