#include "bnn/torch/tensors.h"

namespace wmi::bnn {

torch::Tensor to_tensor(const encoders::Tensor<Rational>& tensor, torch::ScalarType type) {
  std::vector<double> entries;
  for (const Rational& entry : tensor.entries) entries.push_back(entry.get_d());
  std::vector<std::int64_t> shape;
  for (const std::size_t length : tensor.shape) shape.push_back(static_cast<std::int64_t>(length));
  return torch::tensor(entries, torch::kDouble).reshape(shape).to(type);
}

std::map<std::string, torch::Tensor, std::less<>> to_tensors(const encoders::Network& network,
                                                             torch::ScalarType type) {
  std::map<std::string, torch::Tensor, std::less<>> result;
  for (const auto& [name, tensor] : network.parameters)
    result.emplace(name, to_tensor(tensor, type));
  return result;
}

std::vector<torch::Tensor> run_on_tensors(
    const encoders::Network& network,
    const std::map<std::string, torch::Tensor, std::less<>>& parameters,
    const torch::Tensor& inputs, bool training, c10::optional<at::Generator> generator) {
  TensorAlgebra algebra(parameters, training, std::move(generator));
  const TensorAlgebra::Value input{inputs.reshape({inputs.size(0), -1}), network.input};
  std::vector<torch::Tensor> result;
  for (const TensorAlgebra::Value& value : encoders::run(network, algebra, input))
    result.push_back(value.entries.dim() == 2
                         ? value.entries
                         : value.entries.expand({inputs.size(0), value.entries.size(0)}));
  return result;
}

}  // namespace wmi::bnn
