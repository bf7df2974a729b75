#pragma once

#include <span>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The sum of its inputs, entry by entry, as at the end of a residual block.
struct Add {
  static constexpr std::string_view keyword = "add";

  static Add make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, std::span<const typename A::Value> inputs) const {
    typename A::Value sum = inputs[0];
    for (const typename A::Value& input : inputs.subspan(1)) {
      if (a.shape(input) != a.shape(sum))
        throw Error("cannot add " + to_string(a.shape(input)) + " to " + to_string(a.shape(sum)));
      sum = a.add(sum, input);
    }
    return sum;
  }
};

}  // namespace wmi::encoders
