#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = max(x, slope * x), for a slope between 0 and 1.
struct LeakyRelu {
  static constexpr std::string_view keyword = "leaky_relu";
  Rational slope;

  static LeakyRelu make(Attributes& attributes) {
    LeakyRelu result{attributes.number("slope", ratio(1, 100))};
    if (result.slope < 0 || result.slope > 1)
      throw Error("attribute 'slope' must be between 0 and 1");
    return result;
  }
  Attributes attributes() const { return Attributes({{"slope", slope}}); }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return a.max(x, a.scale(slope, x));
  }
};

}  // namespace wmi::encoders
