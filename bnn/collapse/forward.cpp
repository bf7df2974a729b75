#include "bnn/collapse/forward.h"

#include "encoders/exact.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

const std::string& entering_value(const encoders::Network& network, const std::string& layer) {
  for (const encoders::NamedLayer& each : network.layers)
    if (each.name == layer) {
      if (each.from.size() != 1) throw Error(layer + ": takes several inputs");
      return each.from[0];
    }
  throw Error("there is no layer '" + layer + "'");
}

encoders::Network with_weights(const encoders::Network& network, const Weights& weights) {
  encoders::Network result = network;
  result.parameters.clear();
  for (const auto& [name, tensor] : weights) {
    if (name.starts_with("likelihood.")) continue;
    encoders::Tensor<Rational> exact{tensor.shape, {}};
    for (const double entry : tensor.entries) exact.entries.emplace_back(entry);
    result.parameters.emplace(name, std::move(exact));
  }
  return result;
}

ExactActivations exact_forward(const encoders::Network& network, const Weights& weights,
                               const std::vector<Rational>& input, const std::string& layer) {
  const encoders::Network known = with_weights(network, weights);
  encoders::ExactAlgebra algebra(known);
  const auto values = encoders::run_all(known, algebra, {known.input, input});
  ExactActivations result;
  if (!layer.empty()) result.entering = values.at(entering_value(network, layer)).entries;
  for (const std::string& name : known.output) {
    const std::vector<Rational>& entries = values.at(name).entries;
    result.outputs.insert(result.outputs.end(), entries.begin(), entries.end());
  }
  return result;
}

}  // namespace wmi::bnn
