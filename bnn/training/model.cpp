#include "bnn/training/model.h"

#include <utility>

namespace wmi::bnn {
namespace {

/// Above this number of parameters a library's matrix products pay for autograd's overhead.
constexpr std::size_t most_dense = 50'000;

ModelFactory& tensor_models() {
  static ModelFactory factory;
  return factory;
}

std::unique_ptr<Model> make(const encoders::Network& network, const Layout& layout,
                            Precision precision) {
  const ModelFactory& others = tensor_models();
  if (!others)
    return precision == Precision::floats ? make_float_model(network, layout)
                                          : make_dense_model(network, layout);
  if (layout.size <= most_dense)
    if (std::unique_ptr<Model> dense = try_dense_model(network, layout, precision)) return dense;
  return others(network, layout);
}

}  // namespace

void use_tensor_models(ModelFactory factory) { tensor_models() = std::move(factory); }

std::unique_ptr<Model> make_model(const encoders::Network& network, const Layout& layout) {
  return make(network, layout, Precision::doubles);
}

std::unique_ptr<Model> make_training_model(const encoders::Network& network, const Layout& layout) {
  return make(network, layout, Precision::floats);
}

void check_model(const encoders::Network& network, const Observation& observation) {
  const Layout layout = make_layout(weights_of(network, observation));
  make_model(network, layout);
}

Matrix outputs(const encoders::Network& network, const ModelFactory& make_model,
               const Weights& weights, const Matrix& inputs) {
  const Layout layout = make_layout(weights);
  std::vector<double> parameters;
  for (const auto& [name, tensor] : weights)
    parameters.insert(parameters.end(), tensor.entries.begin(), tensor.entries.end());
  return make_model(network, layout)->outputs(parameters, inputs);
}

}  // namespace wmi::bnn
