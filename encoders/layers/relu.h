#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = max(x, 0).
struct Relu {
  static constexpr std::string_view keyword = "relu";

  static Relu make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return a.max(x, a.constant(a.shape(x), 0));
  }
};

}  // namespace wmi::encoders
