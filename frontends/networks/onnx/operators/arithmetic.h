#pragma once

#include <string>

#include "frontends/networks/onnx/builder.h"

namespace wmi::frontends::onnx {

/// The shape that both are broadcast to. Throws Error if they do not fit.
encoders::Shape common_shape(const encoders::Shape& a, const encoders::Shape& b);

/// The value, broadcast to a shape.
Activation broadcast(Builder& builder, const std::string& name, const Activation& x,
                     const encoders::Shape& shape);

/// x + c, x * c and x / c, broadcast. They add no layer for a sum with 0 or a product with 1.
Activation add_constant(Builder& builder, const std::string& name, const Activation& x,
                        const encoders::Tensor<Rational>& c);
Activation multiply_constant(Builder& builder, const std::string& name, const Activation& x,
                             const encoders::Tensor<Rational>& c);
Activation divide_by_constant(Builder& builder, const std::string& name, const Activation& x,
                              const encoders::Tensor<Rational>& c);
Activation negate(Builder& builder, const std::string& name, const Activation& x);

/// One layer of several values, entry by entry, broadcast to a common shape.
Activation combine(Builder& builder, const std::string& name, encoders::Layer layer,
                   std::vector<Activation> values);

}  // namespace wmi::frontends::onnx
