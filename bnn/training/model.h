#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "bnn/data/weights.h"
#include "bnn/numeric/matrix.h"
#include "bnn/training/parameters.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// A network as a function of the vector of all its parameters: its outputs on rows of inputs, and
/// gradients by the parameters. A model has scratch memory, so each thread needs one of its own.
class Model {
 public:
  /// Reads the outputs, a row for each input, and writes the loss's derivatives by them.
  using Backward = std::function<void(const Matrix& outputs, Matrix& derivatives)>;

  virtual ~Model() = default;

  virtual Matrix outputs(std::span<const double> parameters, const Matrix& inputs) = 0;

  /// Forward and backward pass: writes the gradient by the parameters (0 for those the network does
  /// not use). Dropout draws its masks by the seed; without a seed it does nothing.
  virtual void gradient(std::span<const double> parameters, const Matrix& inputs,
                        std::optional<std::uint64_t> dropout, const Backward& backward,
                        std::span<double> gradient) = 0;
};

/// Makes the model of a network, which must not outlive the layout. Throws Error when the network
/// cannot run with these parameters.
using ModelFactory =
    std::function<std::unique_ptr<Model>(const encoders::Network& network, const Layout& layout)>;

/// The machine numbers of values and gradients; parameters are doubles always.
enum class Precision { doubles, floats };

/// Plain loops for a chain of linear layers and common activations. Throws Error for other
/// networks.
std::unique_ptr<Model> make_dense_model(const encoders::Network& network, const Layout& layout);
std::unique_ptr<Model> make_float_model(const encoders::Network& network, const Layout& layout);
/// The same; null for other networks.
std::unique_ptr<Model> try_dense_model(const encoders::Network& network, const Layout& layout,
                                       Precision precision);

/// Plain loops where they are faster, which is for small chains of layers; for all others the
/// factory of `use_tensor_models`. Without one, plain loops for chains of any size.
std::unique_ptr<Model> make_model(const encoders::Network& network, const Layout& layout);

/// The same for stochastic gradient descent: plain loops are in floats, which are twice as fast and
/// lose far less than the noise of a batch.
std::unique_ptr<Model> make_training_model(const encoders::Network& network, const Layout& layout);

/// Sets the factory for networks that make_model has no plain loops for. A program with LibTorch
/// calls this once, at its start, with make_tensor_model of bnn/torch/tensor_model.h.
void use_tensor_models(ModelFactory factory);

/// Throws what make_model throws for a network, whose tensors have the shapes of its parameters. To
/// be called before a long run begins.
void check_model(const encoders::Network& network, const Observation& observation);

/// The outputs of a network with these weights, a row for each input.
Matrix outputs(const encoders::Network& network, const ModelFactory& make_model,
               const Weights& weights, const Matrix& inputs);

}  // namespace wmi::bnn
