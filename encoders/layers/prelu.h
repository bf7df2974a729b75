#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = max(x, 0) + slope * min(x, 0). The slopes are the tensor `weight`: one, or one for each
/// channel, which is the first axis.
struct Prelu {
  static constexpr std::string_view keyword = "prelu";

  static Prelu make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const typename A::Value weight = a.parameter("weight");
    const Shape shape = a.shape(weight), from = a.shape(x);
    if (shape.size() != 1 || (shape[0] != 1 && (from.empty() || shape[0] != from[0])))
      throw Error("weight " + to_string(shape) + " does not fit an input " + to_string(from));
    const typename A::Value slopes =
        shape[0] == 1 ? a.gather(weight, std::vector<std::size_t>(entry_count(from), 0), from)
                      : spread(a, weight, from);
    const typename A::Value positive = a.max(x, a.constant(from, 0));
    return a.add(positive, a.multiply(slopes, a.add(x, negative(a, positive))));
  }
};

}  // namespace wmi::encoders
