#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bnn/collapse/posterior.h"
#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/numeric/matrix.h"
#include "bnn/training/model.h"
#include "bnn/training/parameters.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// The layer that multiplies what enters the last layer by the deviation of its weights' prior, so
/// that their prior is a standard normal one.
inline constexpr const char* prior_layer = "prior";

/// The network with the layer `prior` before its last layer. Throws Error if that is not linear.
///
///     with_prior_layer(mlp(4, {256}, 1, "tanh"));  // fc1, tanh1, prior, fc2
encoders::Network with_prior_layer(encoders::Network network);

/// A network whose hidden weights are drawn and stay: random features, of which the last layer is a
/// Bayesian linear regression in closed form. The spread of the drawn weights, the prior of the last
/// layer and the noise are those of the largest marginal likelihood of the training rows.
class RandomFeatures {
 public:
  /// A network of with_prior_layer with homoscedastic noise. Throws Error for others.
  RandomFeatures(const encoders::Network& network, const ModelFactory& make_model,
                 const Observation& observation, const Dataset& training, std::uint64_t seed);

  /// Drawn hidden weights, and the mean of the last layer's posterior. All are 32-bit floats.
  const Weights& weights() const { return weights_; }
  /// The logarithm of the marginal likelihood, without the bias of the last layer.
  double log_evidence() const { return log_evidence_; }
  /// What the posterior of the last layer predicts: mean and variance of the outcome, a row each.
  Matrix predictions(const Matrix& inputs) const;

 private:
  struct Fit;
  void draw(double spread, std::uint64_t seed);
  Matrix features(const Matrix& inputs) const;

  encoders::Network hidden_;  // without the last layers
  Weights hidden_weights_;
  Layout layout_;
  std::unique_ptr<Model> model_;
  Weights weights_;
  double variance_ = 0;
  double scale_ = 0;  // of the features
  double log_evidence_ = 0;
  JointGaussian posterior_;
};

}  // namespace wmi::bnn
