#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = 1 where x >= 0, else 0.
struct Step {
  static constexpr std::string_view keyword = "step";

  static Step make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return a.at_least_zero(x);
  }
};

}  // namespace wmi::encoders
