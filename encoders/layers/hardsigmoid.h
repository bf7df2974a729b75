#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = x/6 + 1/2, limited to [0, 1].
struct Hardsigmoid {
  static constexpr std::string_view keyword = "hardsigmoid";

  static Hardsigmoid make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return clamp(a, shift(a, a.scale(ratio(1, 6), x), ratio(1, 2)), 0, 1);
  }
};

}  // namespace wmi::encoders
