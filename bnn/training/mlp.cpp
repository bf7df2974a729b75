#include "bnn/training/mlp.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr std::array<std::string_view, 11> activations = {
    "relu",      "leaky_relu", "relu6",   "hardtanh", "hardsigmoid", "abs",
    "hardswish", "tanh",       "sigmoid", "gelu",     "softplus"};

/// Without entries, which may be many: exact numbers take a hundred bytes each.
void add_parameter(encoders::Network& network, const std::string& name,
                   const encoders::Shape& shape) {
  network.parameters.emplace(name, encoders::Tensor<Rational>(shape, {}));
}

}  // namespace

encoders::Network mlp(std::size_t inputs, const std::vector<std::size_t>& hidden,
                      std::size_t outputs, const std::string& activation, double dropout,
                      const InputLayers& first) {
  if (std::ranges::find(activations, activation) == activations.end()) {
    std::string known;
    for (const std::string_view name : activations)
      known += (known.empty() ? "" : ", ") + std::string(name);
    throw Error("no activation '" + activation + "'; choose " + known);
  }
  if (!(dropout >= 0 && dropout < 1)) throw Error("dropout must be at least 0 and below 1");
  encoders::Network network;
  network.input = {inputs};
  std::string before = "input";
  std::size_t width = inputs;
  const auto add = [&](const std::string& name, encoders::Layer layer) {
    network.layers.push_back({name, std::move(layer), {before}});
    before = name;
  };
  const auto add_linear = [&](std::size_t number, std::size_t units) {
    const std::string name = "fc" + std::to_string(number);
    add(name, encoders::Linear{});
    add_parameter(network, name + ".weight", {units, width});
    add_parameter(network, name + ".bias", {units});
    width = units;
  };
  if (first.ramps) {
    first.ramps->check(network.input);
    add("bins", *first.ramps);
    width += first.ramps->size();
  }
  if (first.scale) {
    add("scale", encoders::Affine{});
    network.parameters.emplace("scale.weight", encoders::Tensor<Rational>::filled({width}, 1));
  }
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    add_linear(i + 1, hidden[i]);
    add(activation + std::to_string(i + 1), encoders::make_layer(activation, {}));
    if (dropout > 0)
      add("drop" + std::to_string(i + 1),
          encoders::make_layer("dropout", encoders::Attributes({{"p", Rational(dropout)}})));
  }
  add_linear(hidden.size() + 1, outputs);
  network.output = {before};
  return network;
}

}  // namespace wmi::bnn
