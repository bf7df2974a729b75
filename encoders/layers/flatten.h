#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The same entries as a vector.
struct Flatten {
  static constexpr std::string_view keyword = "flatten";

  static Flatten make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return reshape(a, x, {entry_count(a.shape(x))});
  }
};

}  // namespace wmi::encoders
