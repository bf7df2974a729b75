#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = weight * (x - running_mean) / sqrt(running_var + eps) + bias, with an entry of each tensor
/// for each channel, which is the first axis; in evaluation mode, not in training mode. `weight`
/// and `bias` are optional. The attribute eps has the default 1/100000.
///
/// 1/sqrt(running_var + eps) is rounded to a double; everything else is exact.
struct BatchNorm {
  static constexpr std::string_view keyword = "batch_norm";
  Rational eps;

  static BatchNorm make(Attributes& attributes) {
    BatchNorm result{attributes.number("eps", ratio(1, 100'000))};
    if (result.eps < 0) throw Error("attribute 'eps' must not be below 0");
    return result;
  }
  Attributes attributes() const { return Attributes({{"eps", eps}}); }

  /// The assumption that answers report.
  std::string instead_of() const {
    return "the double nearest to 1/sqrt(running_var + eps) instead of the root";
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const Shape shape = a.shape(x);
    if (shape.empty()) throw Error("an input [] has no channels");
    const auto channels = [&](std::string_view name) {
      typename A::Value value = a.parameter(name);
      if (a.shape(value) != Shape{shape[0]})
        throw Error(std::string(name) + " " + to_string(a.shape(value)) +
                    " does not fit an input " + to_string(shape));
      return value;
    };
    typename A::Value factor = a.inverse_root(channels("running_var"), eps);
    if (a.has_parameter("weight")) factor = a.multiply(channels("weight"), factor);
    const typename A::Value centred =
        a.add(x, spread(a, negative(a, channels("running_mean")), shape));
    const typename A::Value result = a.multiply(spread(a, factor, shape), centred);
    return a.has_parameter("bias") ? a.add(result, spread(a, channels("bias"), shape)) : result;
  }
};

}  // namespace wmi::encoders
