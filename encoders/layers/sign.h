#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = 1 where x >= 0, else -1, as in binarised networks. It is never 0.
struct Sign {
  static constexpr std::string_view keyword = "sign";

  static Sign make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return shift(a, a.scale(2, a.at_least_zero(x)), -1);
  }
};

}  // namespace wmi::encoders
