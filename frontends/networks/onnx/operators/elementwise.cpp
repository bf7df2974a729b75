#include <algorithm>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/arithmetic.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Tensor;

/// Operators before version 7 broadcast their second input only if told to, from a given axis on.
Tensor<Rational> second_constant(Call& call) {
  Tensor<Rational> result = call.constant(1).tensor;
  if (call.opset() >= 7) return result;
  call.ignore({"consumed_inputs"});
  const std::size_t rank = call.shape(0).size();
  const bool has_axis = call.has_attribute("axis");
  const std::int64_t axis = call.integer("axis", 0);
  if (call.integer("broadcast", 0) == 1 && has_axis && result.size() > 1)
    for (std::size_t next = axis_of(axis, rank) + result.shape.size(); next < rank; ++next)
      result.shape.push_back(1);
  return result;
}

Tensor<Rational> negative(Tensor<Rational> tensor) {
  for (Rational& entry : tensor.entries) entry = -entry;
  return tensor;
}

/// x + c, where x is input i: a bias of the layer before it, if possible.
Activation plus(const Call& call, std::size_t i, const Constant& c) {
  Activation x = call.activation(i);
  if (call.fuse_bias(i, x, c)) return x;
  return add_constant(call.builder(), call.name(), x, c.tensor);
}

std::vector<Activation> all_activations(const Call& call) {
  std::vector<Activation> result;
  for (std::size_t i = 0; i < call.input_count(); ++i) result.push_back(call.activation(i));
  if (result.empty()) throw Error("has no inputs");
  return result;
}

std::vector<Value> extreme(Call& call, encoders::Layer layer) {
  call.ignore({"consumed_inputs"});
  const std::vector<Activation> values = all_activations(call);
  if (values.size() == 1) return {values[0]};
  return {combine(call.builder(), call.name(), std::move(layer), values)};
}

std::vector<Value> entrywise(Call& call, encoders::Layer layer) {
  call.ignore({"consumed_inputs"});
  return {call.builder().add_entrywise(call.name(), std::move(layer), call.activation(0))};
}

}  // namespace

std::vector<Value> translate_add(Call& call) {
  if (call.constant_if(1) != nullptr) {
    const Constant& c = call.constant(1);
    return {plus(call, 0, {c.type, second_constant(call), c.origin})};
  }
  if (call.constant_if(0) != nullptr) return {plus(call, 1, call.constant(0))};
  return {combine(call.builder(), call.name(), encoders::Add{}, all_activations(call))};
}

std::vector<Value> translate_sub(Call& call) {
  if (call.constant_if(1) != nullptr) {
    const Constant& c = call.constant(1);
    return {plus(call, 0, {c.type, negative(second_constant(call)), c.origin})};
  }
  const Activation y = negate(call.builder(), call.name() + "_negative", call.activation(1));
  if (const Constant* const c = call.constant_if(0))
    return {add_constant(call.builder(), call.name(), y, c->tensor)};
  return {combine(call.builder(), call.name(), encoders::Add{}, {call.activation(0), y})};
}

std::vector<Value> translate_mul(Call& call) {
  if (call.constant_if(1) != nullptr)
    return {
        multiply_constant(call.builder(), call.name(), call.activation(0), second_constant(call))};
  if (const Constant* const c = call.constant_if(0))
    return {multiply_constant(call.builder(), call.name(), call.activation(1), c->tensor)};
  throw Error(
      "multiplies two values that depend on the input of the network; products with constants "
      "are supported only");
}

std::vector<Value> translate_div(Call& call) {
  const Constant* const dividend = call.constant_if(0);
  if (dividend != nullptr && call.constant_if(1) != nullptr) {
    const bool integers = is_integer(dividend->type);  // rounded towards 0
    const Tensor<Rational>&a = dividend->tensor, &b = call.constant(1).tensor;
    const encoders::Shape shape = common_shape(a.shape, b.shape);
    allowed_count(shape);
    const std::vector<std::size_t> left = encoders::broadcast(a.shape, shape),
                                   right = encoders::broadcast(b.shape, shape);
    Constant result{dividend->type, {shape, {}}, ""};
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (b.entries[right[i]] == 0) throw Error("divides by 0");
      const Rational quotient = a.entries[left[i]] / b.entries[right[i]];
      result.tensor.entries.push_back(
          integers ? Rational(Integer(quotient.get_num() / quotient.get_den())) : quotient);
    }
    return {result};
  }
  if (call.constant_if(1) == nullptr)
    throw Error("divides by a value that depends on the input of the network");
  return {
      divide_by_constant(call.builder(), call.name(), call.activation(0), second_constant(call))};
}

std::vector<Value> translate_sum(Call& call) { return extreme(call, encoders::Add{}); }
std::vector<Value> translate_max(Call& call) { return extreme(call, encoders::Maximum{}); }
std::vector<Value> translate_min(Call& call) { return extreme(call, encoders::Minimum{}); }

std::vector<Value> translate_neg(Call& call) {
  call.ignore({"consumed_inputs"});
  return {negate(call.builder(), call.name(), call.activation(0))};
}

std::vector<Value> translate_abs(Call& call) { return entrywise(call, encoders::Abs{}); }
std::vector<Value> translate_sign(Call& call) {
  return entrywise(call, encoders::Sign{.positive_zero = false});
}

}  // namespace wmi::frontends::onnx
