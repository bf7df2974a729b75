#include "frontends/networks/onnx/operators/arithmetic.h"

#include <algorithm>

#include "solver/terms/error.h"

namespace wmi::frontends::onnx {

using encoders::Shape;
using encoders::Tensor;
using encoders::to_string;

Shape common_shape(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 1; i <= result.size(); ++i) {
    const std::size_t p = i <= a.size() ? a[a.size() - i] : 1,
                      q = i <= b.size() ? b[b.size() - i] : 1;
    if (p != q && p != 1 && q != 1)
      throw Error("values " + to_string(a) + " and " + to_string(b) +
                  " cannot be broadcast to a common shape");
    result[result.size() - i] = p == 1 ? q : p;
  }
  return result;
}

Activation broadcast(Builder& builder, const std::string& name, const Activation& x,
                     const Shape& shape) {
  if (x.shape == shape) return x;
  allowed_count(shape);
  return builder.rearranged(name, x, encoders::broadcast(x.shape, shape), shape);
}

namespace {

/// An affine layer with one tensor.
Activation affine(Builder& builder, const std::string& name, const Activation& x,
                  const std::string& tensor, const Tensor<Rational>& c) {
  const Shape shape = common_shape(x.shape, c.shape);
  const Activation wide = broadcast(builder, name + "_in", x, shape);
  const Shape inner = without_batch(shape);
  Tensor<Rational> value = c;
  while (value.shape.size() > inner.size()) value.shape.erase(value.shape.begin());
  const Activation result = builder.add(name, encoders::Affine{}, {Builder::reshaped(wide, inner)},
                                        {{tensor, std::move(value)}});
  return Builder::reshaped(result, shape);
}

/// Whether all entries are this number and x keeps its shape.
bool changes_nothing(const Activation& x, const Tensor<Rational>& c, const Rational& neutral) {
  return common_shape(x.shape, c.shape) == x.shape &&
         std::ranges::all_of(c.entries, [&](const Rational& entry) { return entry == neutral; });
}

}  // namespace

Activation add_constant(Builder& builder, const std::string& name, const Activation& x,
                        const Tensor<Rational>& c) {
  return changes_nothing(x, c, 0) ? x : affine(builder, name, x, "bias", c);
}

Activation multiply_constant(Builder& builder, const std::string& name, const Activation& x,
                             const Tensor<Rational>& c) {
  return changes_nothing(x, c, 1) ? x : affine(builder, name, x, "weight", c);
}

Activation divide_by_constant(Builder& builder, const std::string& name, const Activation& x,
                              const Tensor<Rational>& c) {
  if (std::ranges::find(c.entries, 0) != c.entries.end()) throw Error("divides by 0");
  return changes_nothing(x, c, 1) ? x : affine(builder, name, x, "divisor", c);
}

Activation negate(Builder& builder, const std::string& name, const Activation& x) {
  return multiply_constant(builder, name, x, Tensor<Rational>({}, {-1}));
}

Activation combine(Builder& builder, const std::string& name, encoders::Layer layer,
                   std::vector<Activation> values) {
  Shape shape = values.at(0).shape;
  for (const Activation& value : values) shape = common_shape(shape, value.shape);
  for (Activation& value : values)
    value = Builder::reshaped(broadcast(builder, name + "_in", value, shape), without_batch(shape));
  return Builder::reshaped(builder.add(name, std::move(layer), values), shape);
}

}  // namespace wmi::frontends::onnx
