#include "bnn/training/model.h"

namespace wmi::bnn {

Matrix outputs(const encoders::Network& network, const ModelFactory& make_model,
               const Weights& weights, const Matrix& inputs) {
  const Layout layout = make_layout(weights);
  std::vector<double> parameters;
  for (const auto& [name, tensor] : weights)
    parameters.insert(parameters.end(), tensor.entries.begin(), tensor.entries.end());
  return make_model(network, layout)->outputs(parameters, inputs);
}

}  // namespace wmi::bnn
