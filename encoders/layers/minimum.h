#pragma once

#include <span>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The least of its inputs, entry by entry.
struct Minimum {
  static constexpr std::string_view keyword = "minimum";

  static Minimum make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, std::span<const typename A::Value> inputs) const {
    typename A::Value result = inputs[0];
    for (const typename A::Value& input : inputs.subspan(1)) {
      if (a.shape(input) != a.shape(result))
        throw Error("cannot compare " + to_string(a.shape(input)) + " with " +
                    to_string(a.shape(result)));
      result = min(a, result, input);
    }
    return result;
  }
};

}  // namespace wmi::encoders
