#include <map>
#include <string>
#include <utility>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/arithmetic.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::Tensor;

std::vector<Value> entrywise(Call& call, encoders::Layer layer) {
  call.ignore({"consumed_inputs"});
  return {call.builder().add_entrywise(call.name(), std::move(layer), call.activation(0))};
}

/// A smooth function, with the default bounds of its layer, which are computed once.
std::vector<Value> smooth(Call& call, const std::string& type) {
  static thread_local std::map<std::string, encoders::Layer> layers;
  const auto found = layers.find(type);
  return entrywise(call, found != layers.end()
                             ? found->second
                             : layers.emplace(type, encoders::make_layer(type, {})).first->second);
}

/// The number that a default of ONNX is as a float.
Rational as_float(float number) { return Rational(static_cast<double>(number)); }

/// Lines that meet in these points.
encoders::PiecewiseLinear lines(std::vector<Rational> at, std::vector<Rational> values,
                                const Rational& left_slope, const Rational& right_slope) {
  return {std::move(at), std::move(values), left_slope, right_slope};
}

/// The slopes as the weight of a `prelu` layer: one, or one for each channel.
std::optional<Tensor<Rational>> channel_slopes(const Tensor<Rational>& slopes, const Shape& x) {
  if (slopes.size() == 1) return Tensor<Rational>({1}, slopes.entries);
  const Shape inner = without_batch(x);
  if (inner.empty()) return std::nullopt;
  Shape shape = slopes.shape;
  while (shape.size() > inner.size() && shape[0] == 1) shape.erase(shape.begin());
  Shape channels(inner.size(), 1);
  channels[0] = inner[0];
  if (shape != channels) return std::nullopt;
  return Tensor<Rational>({inner[0]}, slopes.entries);
}

}  // namespace

std::vector<Value> translate_relu(Call& call) { return entrywise(call, encoders::Relu{}); }

std::vector<Value> translate_leaky_relu(Call& call) {
  const Rational slope = call.real("alpha", as_float(0.01F));
  if (slope < 0 || slope > 1) return entrywise(call, lines({0}, {0}, slope, 1));
  return entrywise(call, encoders::LeakyRelu{slope});
}

std::vector<Value> translate_prelu(Call& call) {
  call.ignore({"consumed_inputs"});
  const Activation x = call.activation(0);
  const Constant& slopes = call.constant(1);
  Builder& builder = call.builder();
  const std::string name = call.name_by(slopes);
  if (std::optional<Tensor<Rational>> weight = channel_slopes(slopes.tensor, x.shape))
    return {Builder::reshaped(
        builder.add(name, encoders::Prelu{}, {Builder::reshaped(x, without_batch(x.shape))},
                    {{"weight", *std::move(weight)}}),
        x.shape)};
  // A slope for each entry: max(x, 0) + slope (x - max(x, 0)).
  const Activation positive = builder.add_entrywise(name + "_positive", encoders::Relu{}, x);
  const Activation negative = combine(builder, name + "_negative", encoders::Add{},
                                      {x, negate(builder, name + "_minus", positive)});
  return {
      combine(builder, name, encoders::Add{},
              {positive, multiply_constant(builder, name + "_scaled", negative, slopes.tensor)})};
}

std::vector<Value> translate_clip(Call& call) {
  std::optional<Rational> low, high;
  if (call.opset() < 11) {
    call.ignore({"consumed_inputs"});
    if (call.has_attribute("min")) low = call.real("min");
    if (call.has_attribute("max")) high = call.real("max");
  } else {
    if (call.has(1)) low = call.input_number(1);
    if (call.has(2)) high = call.input_number(2);
  }
  if (low && high && *low > *high) throw Error("its least value is above its greatest");
  if (low && high) return entrywise(call, encoders::Hardtanh{*low, *high});
  if (low) {
    if (*low == 0) return entrywise(call, encoders::Relu{});
    return entrywise(call, lines({*low}, {*low}, 0, 1));
  }
  if (high) return entrywise(call, lines({*high}, {*high}, 1, 0));
  return {call.value(0)};
}

// max(0, min(1, alpha x + beta))
std::vector<Value> translate_hard_sigmoid(Call& call) {
  const Rational alpha = call.real("alpha", as_float(0.2F)), beta = call.real("beta", ratio(1, 2));
  if (alpha == 0) throw Error("attribute 'alpha' must not be 0");
  const Rational zero = -beta / alpha, one = (1 - beta) / alpha;
  if (alpha > 0) return entrywise(call, lines({zero, one}, {0, 1}, 0, 0));
  return entrywise(call, lines({one, zero}, {1, 0}, 0, 0));
}

std::vector<Value> translate_hard_swish(Call& call) { return smooth(call, "hardswish"); }
std::vector<Value> translate_sigmoid(Call& call) { return smooth(call, "sigmoid"); }
std::vector<Value> translate_tanh(Call& call) { return smooth(call, "tanh"); }
std::vector<Value> translate_softplus(Call& call) { return smooth(call, "softplus"); }

std::vector<Value> translate_gelu(Call& call) {
  if (call.word("approximate", "none") != "none")
    throw Error("an approximation of Gelu is not supported; export the model without it");
  return smooth(call, "gelu");
}

// The order of the classes, and which is the largest, are those of the logits, if all outputs are
// classes of one softmax. Before version 13 that is over all axes from the given one on, then over
// this one alone.
std::vector<Value> translate_softmax(Call& call) {
  if (!call.is_output())
    throw Error("is supported as the last node only, before a single output, where it is left out");
  const Shape& shape = call.shape(0);
  const bool flattened = call.opset() < 13;
  const std::size_t axis = axis_of(call.integer("axis", flattened ? 1 : -1), shape.size());
  const Shape group(
      shape.begin() + static_cast<std::ptrdiff_t>(axis),
      flattened ? shape.end() : shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
  if (encoders::entry_count(group) != encoders::entry_count(shape) ||
      encoders::entry_count(group) < 2)
    throw Error("is not over all entries of a value " + encoders::to_string(shape) +
                ", or there is but one; it is left out only where all outputs are its classes");
  call.builder().set_logits_of(call.node().type);
  call.builder().note("the outputs are the logits: the final " + call.node().type + " '" +
                      call.node().called() + "' is left out, which does not change their order");
  return {call.activation(0)};
}

}  // namespace wmi::frontends::onnx
