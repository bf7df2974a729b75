#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = |x|.
struct Abs {
  static constexpr std::string_view keyword = "abs";

  static Abs make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return a.max(x, negative(a, x));
  }
};

}  // namespace wmi::encoders
