#include "solver/numeric/function_range.h"

#include <algorithm>

#include "solver/numeric/smooth_functions.h"

namespace wmi {

/// Each function is monotone on the interval, or, as the normal density, in the size of its argument.
std::optional<Interval> range(Function function, const Interval& argument) {
  constexpr slong bits = 64;
  Interval ends = argument;
  if (function == Function::log && ends.lower <= 0) return std::nullopt;
  if (function == Function::sqrt && ends.lower < 0) return std::nullopt;
  if (function == Function::reciprocal && ends.contains(0)) return std::nullopt;
  if (function == Function::normal) {
    const Rational low = abs(ends.lower), high = abs(ends.upper);
    ends = {ends.contains(0) ? Rational(0) : std::min(low, high), std::max(low, high)};
  }
  const auto value = [&](const Rational& end) -> std::optional<Interval> {
    Ball result = ball(end, bits);
    evaluate(result, function, result, bits);
    mag_t size;
    mag_init(size);
    arb_get_mag(size, result);
    const bool large = mag_cmp_2exp_si(size, 50'000) > 0;
    mag_clear(size);
    if (!arb_is_finite(result) || large) return std::nullopt;
    return interval(result);
  };
  const std::optional<Interval> lower = value(ends.lower), upper = value(ends.upper);
  if (!lower || !upper) return std::nullopt;
  Interval result = hull(*lower, *upper);
  const bool positive = function == Function::exp || function == Function::sqrt ||
                        function == Function::sigmoid || function == Function::normal;
  if (positive) result.lower = std::max(result.lower, Rational(0));
  return result;
}

std::optional<Interval> everywhere(Function function) {
  switch (function) {
    case Function::erf:
    case Function::tanh:
      return Interval(-1, 1);
    case Function::sigmoid:
      return Interval(0, 1);
    case Function::normal:
      return Interval(0, ratio(1, 2));
    default:
      return std::nullopt;
  }
}

}  // namespace wmi
