#pragma once

#include <span>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The greatest of its inputs, entry by entry.
struct Maximum {
  static constexpr std::string_view keyword = "maximum";

  static Maximum make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, std::span<const typename A::Value> inputs) const {
    typename A::Value result = inputs[0];
    for (const typename A::Value& input : inputs.subspan(1)) {
      if (a.shape(input) != a.shape(result))
        throw Error("cannot compare " + to_string(a.shape(input)) + " with " +
                    to_string(a.shape(result)));
      result = a.max(result, input);
    }
    return result;
  }
};

}  // namespace wmi::encoders
