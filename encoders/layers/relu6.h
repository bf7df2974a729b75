#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = min(max(x, 0), 6).
struct Relu6 {
  static constexpr std::string_view keyword = "relu6";

  static Relu6 make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return clamp(a, x, 0, 6);
  }
};

}  // namespace wmi::encoders
