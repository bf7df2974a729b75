#pragma once

#include <algorithm>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The continuous function that is linear between the points (at, values), given as two lists, with
/// left_slope before the first and right_slope after the last (default: 0).
///
/// It is computed as a line plus a max term for each point where the slope changes.
struct PiecewiseLinear {
  static constexpr std::string_view keyword = "piecewise_linear";
  std::vector<Rational> at, values;
  Rational left_slope, right_slope;

  static PiecewiseLinear make(Attributes& attributes) {
    PiecewiseLinear result{attributes.numbers("at"), attributes.numbers("values"),
                           attributes.number("left_slope", 0), attributes.number("right_slope", 0)};
    if (result.at.empty()) throw Error("attribute 'at' must not be empty");
    if (result.at.size() != result.values.size())
      throw Error("attributes 'at' and 'values' must be equally long");
    for (std::size_t i = 1; i < result.at.size(); ++i)
      if (result.at[i - 1] >= result.at[i]) throw Error("attribute 'at' must ascend");
    return result;
  }
  Attributes attributes() const {
    return Attributes(
        {{"at", at}, {"values", values}, {"left_slope", left_slope}, {"right_slope", right_slope}});
  }

  /// The slope after the first `i` points.
  Rational slope(std::size_t i) const {
    if (i == 0) return left_slope;
    if (i == at.size()) return right_slope;
    return (values[i] - values[i - 1]) / (at[i] - at[i - 1]);
  }

  Rational value(const Rational& x) const {
    const std::size_t i =
        static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), x) - at.begin());
    const std::size_t near = i == 0 ? 0 : i - 1;
    return values[near] + slope(i) * (x - at[near]);
  }

  /// An algebra may offer `piecewise` to compute the function better than by max terms.
  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    if constexpr (requires { a.piecewise(*this, x); })
      return a.piecewise(*this, x);
    else
      return sum_of_max_terms(a, x);
  }

 private:
  template <Algebra A>
  typename A::Value sum_of_max_terms(A& a, const typename A::Value& x) const {
    const Shape shape = a.shape(x);
    typename A::Value result = a.constant(shape, values[0] - left_slope * at[0]);
    if (left_slope != 0) result = a.add(result, a.scale(left_slope, x));
    const typename A::Value zero = a.constant(shape, 0);
    for (std::size_t i = 0; i < at.size(); ++i)
      if (const Rational turn = slope(i + 1) - slope(i); turn != 0)
        result = a.add(result, a.scale(turn, a.max(shift(a, x, -at[i]), zero)));
    return result;
  }
};

}  // namespace wmi::encoders
