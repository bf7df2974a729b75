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

/// A network as a function of all its parameters, in one vector: its outputs on rows of inputs, and
/// the way back. A model keeps what it computes with, so each thread needs one of its own.
class Model {
 public:
  /// Sees the outputs, a row for each input, and writes the loss's derivatives by them.
  using Backward = std::function<void(const Matrix& outputs, Matrix& derivatives)>;

  virtual ~Model() = default;

  virtual Matrix outputs(std::span<const double> parameters, const Matrix& inputs) = 0;

  /// Forth and back: writes the gradient by the parameters (0 for those that are no network's).
  /// With a seed, dropout draws its masks by it; without one it does nothing.
  virtual void gradient(std::span<const double> parameters, const Matrix& inputs,
                        std::optional<std::uint64_t> dropout, const Backward& backward,
                        std::span<double> gradient) = 0;
};

/// Plain loops for a small chain of linear layers and common activations, tensors for all others.
/// The layout outlives the model. Throws Error when the network cannot run with these parameters.
std::unique_ptr<Model> make_model(const encoders::Network& network, const Layout& layout);
/// Nothing when the network is no such chain.
std::unique_ptr<Model> make_dense_model(const encoders::Network& network, const Layout& layout);
std::unique_ptr<Model> make_tensor_model(const encoders::Network& network, const Layout& layout);

/// The outputs of a network with these weights, a row for each input.
Matrix outputs(const encoders::Network& network, const Weights& weights, const Matrix& inputs);

}  // namespace wmi::bnn
