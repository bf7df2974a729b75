#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = W x + b, with `weight` (out x in) and an optional `bias`.
struct Linear {
  static constexpr std::string_view keyword = "linear";

  static Linear make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const typename A::Value weight = a.parameter("weight");
    const Shape shape = a.shape(weight), from = a.shape(x);
    if (shape.size() != 2 || from.size() != 1 || shape[1] != from[0])
      throw Error("weight " + to_string(shape) + " does not fit an input " + to_string(from));
    const typename A::Value product = a.matrix(weight, reshape(a, x, {from[0], 1}));
    typename A::Value result = reshape(a, product, {shape[0]});
    if (!a.has_parameter("bias")) return result;
    const typename A::Value bias = a.parameter("bias");
    if (a.shape(bias) != Shape{shape[0]})
      throw Error("bias " + to_string(a.shape(bias)) + " does not fit a weight " +
                  to_string(shape));
    return a.add(result, bias);
  }
};

}  // namespace wmi::encoders
