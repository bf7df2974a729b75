// Gradients of any network that the encoders can express, by LibTorch's autograd. One thread: the
// caller has several of these side by side, and sums must not depend on how many there are.

#include "bnn/torch/tensor_model.h"

#include "bnn/torch/tensors.h"

namespace wmi::bnn {
namespace {

using Tensors = std::map<std::string, torch::Tensor, std::less<>>;

constexpr std::int64_t chunk = 256;  // rows that are predicted at once

/// Dropout draws masks in training, whatever the network's own mode is.
encoders::Network with_masks(encoders::Network network) {
  for (encoders::NamedLayer& layer : network.layers)
    if (auto* drop = std::get_if<encoders::Dropout>(&layer.layer)) drop->masks = true;
  network.parameters.clear();
  return network;
}

class TensorModel final : public Model {
 public:
  TensorModel(const encoders::Network& network, const Layout& layout)
      : network_(with_masks(network)), layout_(layout) {}

  Matrix outputs(std::span<const double> parameters, const Matrix& inputs) override {
    const torch::NoGradGuard guard;
    torch::set_num_threads(1);
    const Tensors tensors = to_tensors(parameters, false);
    const torch::Tensor rows = to_tensor(inputs);
    Matrix result;
    for (std::int64_t from = 0; from < rows.size(0); from += chunk) {
      const torch::Tensor part =
          run(tensors, rows.slice(0, from, from + chunk), std::nullopt).contiguous();
      result.columns = static_cast<std::size_t>(part.size(1));
      result.entries.insert(result.entries.end(), part.data_ptr<double>(),
                            part.data_ptr<double>() + part.numel());
    }
    return result;
  }

  void gradient(std::span<const double> parameters, const Matrix& inputs,
                std::optional<std::uint64_t> dropout, const Backward& backward,
                std::span<double> gradient) override {
    torch::set_num_threads(1);
    const Tensors tensors = to_tensors(parameters, true);
    const torch::Tensor found = run(tensors, to_tensor(inputs), dropout);
    const torch::Tensor plain = found.detach().contiguous();
    Matrix outputs(inputs.rows(), static_cast<std::size_t>(found.size(1)));
    std::copy_n(plain.data_ptr<double>(), outputs.entries.size(), outputs.entries.data());
    Matrix derivatives(outputs.rows(), outputs.columns);
    backward(outputs, derivatives);
    found.backward(to_tensor(derivatives));
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const Parameter& parameter : layout_.parameters) {
      const torch::Tensor slope = tensors.find(parameter.name)->second.grad();
      if (!slope.defined()) continue;  // the outputs do not depend on it
      const torch::Tensor whole = slope.contiguous();
      std::copy_n(whole.data_ptr<double>(), parameter.size, gradient.data() + parameter.offset);
    }
  }

 private:
  static torch::Tensor to_tensor(const Matrix& matrix) {
    return torch::from_blob(
        const_cast<double*>(matrix.entries.data()),
        {static_cast<std::int64_t>(matrix.rows()), static_cast<std::int64_t>(matrix.columns)},
        torch::kDouble);
  }

  Tensors to_tensors(std::span<const double> parameters, bool train) const {
    Tensors result;
    for (const Parameter& parameter : layout_.parameters) {
      std::vector<std::int64_t> shape;
      for (const std::size_t length : parameter.shape)
        shape.push_back(static_cast<std::int64_t>(length));
      torch::Tensor tensor =
          torch::from_blob(const_cast<double*>(parameters.data()) + parameter.offset, shape,
                           torch::kDouble)
              .clone();
      tensor.requires_grad_(train && !parameter.fixed);
      result.emplace(parameter.name, std::move(tensor));
    }
    return result;
  }

  torch::Tensor run(const Tensors& tensors, const torch::Tensor& rows,
                    std::optional<std::uint64_t> dropout) const {
    c10::optional<at::Generator> generator;
    if (dropout) generator = at::detail::createCPUGenerator(*dropout);
    const std::vector<torch::Tensor> found =
        run_on_tensors(network_, tensors, rows, dropout.has_value(), generator);
    return found.size() == 1 ? found[0] : torch::cat(found, 1);
  }

  encoders::Network network_;
  const Layout& layout_;
};

}  // namespace

std::unique_ptr<Model> make_tensor_model(const encoders::Network& network, const Layout& layout) {
  return std::make_unique<TensorModel>(network, layout);
}

}  // namespace wmi::bnn
