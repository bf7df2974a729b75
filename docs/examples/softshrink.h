#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = x moved towards 0 by `lambda` (default 1/2), and 0 where |x| is at most `lambda`.
struct Softshrink {
  static constexpr std::string_view keyword = "softshrink";
  Rational lambda;

  static Softshrink make(Attributes& attributes) {
    Softshrink result{attributes.number("lambda", ratio(1, 2))};
    if (result.lambda < 0) throw Error("attribute 'lambda' must not be below 0");
    return result;
  }
  Attributes attributes() const { return Attributes({{"lambda", lambda}}); }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const typename A::Value zero = a.constant(a.shape(x), 0);
    const typename A::Value above = a.max(shift(a, x, -lambda), zero);
    const typename A::Value below = a.max(shift(a, negative(a, x), -lambda), zero);
    return a.add(above, negative(a, below));
  }
};

}  // namespace wmi::encoders
