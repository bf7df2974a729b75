#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "encoders/layers/abs.h"
#include "encoders/layers/add.h"
#include "encoders/layers/affine.h"
#include "encoders/layers/avg_pool.h"
#include "encoders/layers/batch_norm.h"
#include "encoders/layers/concatenate.h"
#include "encoders/layers/conv2d.h"
#include "encoders/layers/dropout.h"
#include "encoders/layers/flatten.h"
#include "encoders/layers/gelu.h"
#include "encoders/layers/hardsigmoid.h"
#include "encoders/layers/hardswish.h"
#include "encoders/layers/hardtanh.h"
#include "encoders/layers/leaky_relu.h"
#include "encoders/layers/linear.h"
#include "encoders/layers/max_pool.h"
#include "encoders/layers/maximum.h"
#include "encoders/layers/maxout.h"
#include "encoders/layers/minimum.h"
#include "encoders/layers/piecewise_linear.h"
#include "encoders/layers/prelu.h"
#include "encoders/layers/quantiser.h"
#include "encoders/layers/ramps.h"
#include "encoders/layers/rearrange.h"
#include "encoders/layers/relu.h"
#include "encoders/layers/relu6.h"
#include "encoders/layers/sigmoid.h"
#include "encoders/layers/sign.h"
#include "encoders/layers/softplus.h"
#include "encoders/layers/step.h"
#include "encoders/layers/tanh.h"
#include "encoders/tensor.h"
#include "solver/terms/error.h"

namespace wmi::encoders {

/// All types of layers: a new one is a file in layers/ and a name here.
using Layer = std::variant<Linear, Conv2d, BatchNorm, Relu, LeakyRelu, Prelu, Relu6, Hardtanh,
                           Hardsigmoid, Abs, Maxout, PiecewiseLinear, Ramps, Sign, Step, Quantiser,
                           Tanh, Sigmoid, Gelu, Softplus, Hardswish, MaxPool, AvgPool, Flatten,
                           Rearrange, Add, Affine, Maximum, Minimum, Concatenate, Dropout>;

/// The layer of this type, with these attributes. Throws Error for an unknown type (naming the
/// known ones) and for attributes that it does not have.
Layer make_layer(std::string_view type, Attributes attributes);
/// The names of all types, `relu`, `linear`, ..., in the order of the variant.
std::vector<std::string_view> layer_types();

struct NamedLayer {
  std::string name;
  Layer layer;
  std::vector<std::string> from;  // names of earlier layers, or `input`
};

/// A network: named layers in an order of evaluation, each with the names of its inputs, and their
/// tensors, as exact numbers with the names `layer.tensor`.
///
///     const Network net{{1},
///                       {{"fc1", Linear{}, {"input"}}, {"relu1", Relu{}, {"fc1"}}},
///                       {"relu1"},
///                       {{"fc1.weight", {{1, 1}, {ratio(-1, 2)}}}, {"fc1.bias", {{1}, {3}}}}};
struct Network {
  Shape input;
  std::vector<NamedLayer> layers;
  std::vector<std::string> output;  // names of layers; several are concatenated
  std::map<std::string, Tensor<Rational>, std::less<>> parameters;
  /// `Softmax` or `LogSoftmax`, where the model goes on with it and the output is its logits: they
  /// have the same order, and other values.
  std::string logits_of = {};
};

/// Whether the network has to be bracketed: it has a smooth layer without a chosen side.
bool needs_brackets(const Network& network);
/// The network with enclosures of its smooth layers of at most this width. Throws Error, naming the
/// layer, if that is impossible, and if there is no smooth layer.
Network within(Network network, const Rational& width);

/// Throws Error, naming the layer, if a name is used twice or before it is defined, or if a tensor
/// belongs to no layer.
void check_names(const Network& network);

/// Runs the network in an algebra; the input is a value of that algebra. The layer's name is
/// prepended to an Error that a layer throws.
///
/// `enter(name)` tells the algebra the current layer, which `parameter` and the names of new
/// variables depend on.
template <Algebra A>
std::vector<typename A::Value> run(const Network& network, A& a, const typename A::Value& input);

/// Says of a layer whether its value is kept; empty: all are.
using KeepLayer = std::function<bool(const std::string& name)>;

/// The same, with the values of all layers by name; or of the kept ones, the input and the output:
/// other values are dropped as soon as no layer needs them.
template <Algebra A>
std::map<std::string, typename A::Value, std::less<>> run_all(const Network& network, A& a,
                                                              const typename A::Value& input,
                                                              const KeepLayer& keep = {});

// ---------------------------------------------------------------------------------------------

template <Algebra A>
typename A::Value run_layer(const Layer& layer, A& a, std::span<const typename A::Value> inputs) {
  return std::visit(
      [&](const auto& type) -> typename A::Value {
        if constexpr (requires { type.forward(a, inputs); }) {
          return type.forward(a, inputs);
        } else {
          if (inputs.size() != 1)
            throw Error("takes one input, not " + std::to_string(inputs.size()));
          return type.forward(a, inputs[0]);
        }
      },
      layer);
}

template <Algebra A>
std::map<std::string, typename A::Value, std::less<>> run_all(const Network& network, A& a,
                                                              const typename A::Value& input,
                                                              const KeepLayer& keep) {
  if (a.shape(input) != network.input)
    throw Error("the input has shape " + to_string(a.shape(input)) + " and not " +
                to_string(network.input));
  check_names(network);
  std::map<std::string, std::size_t> uses;  // still to come, of each value
  for (const NamedLayer& layer : network.layers)
    for (const std::string& name : layer.from) ++uses[name];
  for (const std::string& name : network.output) ++uses[name];
  ++uses["input"];

  std::map<std::string, typename A::Value, std::less<>> values{{"input", input}};
  std::size_t entries = checked_entries(network.input);  // of all values so far
  for (const NamedLayer& layer : network.layers) {
    std::vector<typename A::Value> inputs;
    for (const std::string& name : layer.from) {
      const auto found = values.find(name);
      if (--uses[name] > 0 || !keep || keep(name)) {
        inputs.push_back(found->second);
      } else {
        inputs.push_back(std::move(found->second));
        values.erase(found);
      }
    }
    a.enter(layer.name);
    try {
      const auto [made, added] = values.emplace(
          layer.name, run_layer<A>(layer.layer, a, std::span<const typename A::Value>(inputs)));
      entries = checked_entries(a.shape(made->second), entries);
    } catch (const Error& error) {
      throw Error(layer.name + ": " + error.what(), error.where());
    }
  }
  return values;
}

template <Algebra A>
std::vector<typename A::Value> run(const Network& network, A& a, const typename A::Value& input) {
  const std::map<std::string, typename A::Value, std::less<>> values =
      run_all(network, a, input, [](const std::string&) { return false; });
  std::vector<typename A::Value> result;
  for (const std::string& name : network.output) result.push_back(values.at(name));
  return result;
}

}  // namespace wmi::encoders
