// Networks and properties that are small enough to check by hand.

#pragma once

#include <string>
#include <vector>

#include "encoders/network.h"
#include "frontends/ciber/verify/verification_problem.h"
#include "frontends/formats/vnnlib.h"

namespace wmi::frontends {

using encoders::Network;
using encoders::Tensor;

/// y = W x + b, then another layer, if there is one.
inline Network linear_network(std::size_t inputs, std::size_t outputs,
                              std::vector<Rational> weights, std::vector<Rational> biases,
                              std::vector<encoders::NamedLayer> more = {}) {
  Network result{{inputs}, {{"fc1", encoders::Linear{}, {"input"}}}, {"fc1"}, {}};
  result.parameters.emplace("fc1.weight", Tensor<Rational>({outputs, inputs}, std::move(weights)));
  result.parameters.emplace("fc1.bias", Tensor<Rational>({outputs}, std::move(biases)));
  for (encoders::NamedLayer& layer : more) {
    result.output = {layer.name};
    result.layers.push_back(std::move(layer));
  }
  return result;
}

/// y = max(x_0 + x_1, 0), z = x_0 - x_1, with a ReLU on both: y = ReLU(x_0 + x_1) and
/// z = ReLU(x_0 - x_1).
inline Network two_relus() {
  return linear_network(2, 2, {1, 1, 1, -1}, {0, 0}, {{"relu1", encoders::Relu{}, {"fc1"}}});
}

/// Declares so many inputs and outputs.
inline std::string declared(std::size_t inputs, std::size_t outputs) {
  std::string result;
  for (std::size_t i = 0; i < inputs; ++i)
    result += "(declare-const X_" + std::to_string(i) + " Real)\n";
  for (std::size_t i = 0; i < outputs; ++i)
    result += "(declare-const Y_" + std::to_string(i) + " Real)\n";
  return result;
}

/// Each input in [0, 1].
inline std::string unit_box(std::size_t inputs) {
  std::string result;
  for (std::size_t i = 0; i < inputs; ++i)
    result += "(assert (<= 0 X_" + std::to_string(i) + " 1))\n";
  return result;
}

inline Property property(std::size_t inputs, std::size_t outputs, const std::string& asserts) {
  return read_vnnlib({"test.vnnlib", declared(inputs, outputs) + asserts});
}

}  // namespace wmi::frontends
