#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/training/model.h"
#include "bnn/training/parameters.h"

namespace wmi::bnn {

/// The standard deviation that the raw variance of homoscedastic noise has in the prior, around 0.
inline constexpr double raw_variance_deviation = 3;

/// The logarithm of the posterior density of a network's parameters, up to a constant, with its
/// gradient: the likelihood of rows, and independent normal priors of mean 0. Known noise stays
/// fixed. Each thread needs one of its own.
class LogPosterior {
 public:
  LogPosterior(const encoders::Network& network, const ModelFactory& make_model,
               const Observation& observation, const Dataset& rows, double prior_deviation,
               std::optional<double> noise_variance);

  const Layout& layout() const { return layout_; }
  /// The start of a chain: fresh weights, or these, with the known noise.
  std::vector<double> start(const Weights* weights, std::uint64_t seed) const;

  double operator()(std::span<const double> parameters, std::span<double> gradient);
  /// The gradient alone, estimated from some of the rows.
  void gradient(std::span<const double> parameters, std::span<const std::size_t> rows,
                std::span<double> gradient);
  /// The means (or logits) of all outputs on some inputs.
  Matrix outputs(std::span<const double> parameters, const Matrix& inputs) {
    return model_->outputs(parameters, inputs);
  }

 private:
  /// Adds the prior to the gradient of the likelihood; returns its logarithm.
  double add_prior(std::span<const double> parameters, std::span<double> gradient) const;
  double likelihood(std::span<const double> parameters, const Dataset& rows, double weight,
                    std::span<double> gradient);

  const Observation& observation_;
  const Dataset& rows_;
  double prior_deviation_;
  std::optional<double> raw_noise_;
  Weights shapes_;
  Layout layout_;
  std::unique_ptr<Model> model_;
  const Parameter* raw_variance_;
};

}  // namespace wmi::bnn
