#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "solver/terms/caps.h"

namespace wmi::encoders {

/// x rounded to the nearest of low, low + step, ..., high, ties upwards, as a sum of steps. The
/// attributes are step, low and high.
struct Quantiser {
  static constexpr std::string_view keyword = "quantiser";
  Rational step, low;
  std::size_t steps;

  static Quantiser make(Attributes& attributes) {
    const Rational step = attributes.number("step"), low = attributes.number("low"),
                   high = attributes.number("high");
    if (step <= 0) throw Error("attribute 'step' must be above 0");
    if (high < low) throw Error("attribute 'low' must not be above 'high'");
    const Rational steps = (high - low) / step;
    if (steps.get_den() != 1) throw Error("attribute 'high' must be a number of steps above 'low'");
    if (steps > caps::steps.value())
      throw Error("more than " + std::to_string(caps::steps) + " steps");
    return {step, low, steps.get_num().get_ui()};
  }
  Attributes attributes() const {
    const Rational high = low + step * Integer(steps);
    return Attributes({{"step", step}, {"low", low}, {"high", high}});
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    typename A::Value result = a.constant(a.shape(x), low);
    for (std::size_t i = 0; i < steps; ++i) {
      const Rational from = low + step * ratio(2 * Integer(i) + 1, 2);
      result = a.add(result, a.scale(step, a.at_least_zero(shift(a, x, -from))));
    }
    return result;
  }
};

}  // namespace wmi::encoders
