#include "bnn/training/model.h"

namespace wmi::bnn {
namespace {

/// Beyond so many parameters a matrix product of a library is worth more than a short way to it.
constexpr std::size_t most_dense = 50'000;

}  // namespace

std::unique_ptr<Model> make_model(const encoders::Network& network, const Layout& layout) {
  if (layout.size <= most_dense)
    if (std::unique_ptr<Model> dense = make_dense_model(network, layout)) return dense;
  return make_tensor_model(network, layout);
}

Matrix outputs(const encoders::Network& network, const Weights& weights, const Matrix& inputs) {
  const Layout layout = make_layout(weights);
  std::vector<double> parameters;
  for (const auto& [name, tensor] : weights)
    parameters.insert(parameters.end(), tensor.entries.begin(), tensor.entries.end());
  return make_model(network, layout)->outputs(parameters, inputs);
}

}  // namespace wmi::bnn
