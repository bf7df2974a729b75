#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = (weight * x + bias) / divisor, entry by entry. Each tensor is optional, and broadcast over x:
/// the last axes are aligned, and axes of length 1 are repeated. The entries of `divisor` are
/// numbers.
struct Affine {
  static constexpr std::string_view keyword = "affine";

  static Affine make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const Shape shape = a.shape(x);
    const auto spread_over = [&](const typename A::Value& tensor) {
      return a.gather(tensor, broadcast(a.shape(tensor), shape), shape);
    };
    typename A::Value result = x;
    if (a.has_parameter("weight")) result = a.multiply(spread_over(a.parameter("weight")), result);
    if (a.has_parameter("bias")) result = a.add(result, spread_over(a.parameter("bias")));
    if (a.has_parameter("divisor"))
      result = a.multiply(spread_over(a.reciprocal(a.parameter("divisor"))), result);
    return result;
  }
};

}  // namespace wmi::encoders
