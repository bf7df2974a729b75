// Damped Gauss-Newton steps: the step solves (lambda I + sum s_i J_i J_i') d = gradient, and is halved
// until the log posterior grows by a part of what the gradient promises. At a kink, where a unit
// switches at a training row, the steps may end without a vanishing gradient.

#include "bnn/collapse/hidden_posterior.h"

#include <cmath>
#include <utility>

#include "bnn/numeric/linear_algebra.h"

namespace wmi::bnn {
namespace {

class Search {
 public:
  Search(const HiddenRows& rows, std::span<const double> start, Patterns patterns,
         const PosteriorOptions& options)
      : rows_(rows),
        lambda_(options.lambda),
        centre_(start.size()),
        weights_(start.begin(), start.end()) {
    if (options.at_sample) centre_ = weights_;
    if (patterns == Patterns::of_start) slopes_ = slopes_at(inputs(weights_));
  }

  JointGaussian run(double temperature) {
    constexpr int most_steps = 500, most_halvings = 40;
    double height = log_posterior(weights_);
    Quadratic local = expansion();
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<double> direction = solve_cholesky(local.lower, local.gradient);
      double promise = 0;
      for (std::size_t c = 0; c < direction.size(); ++c)
        promise += direction[c] * local.gradient[c];
      if (!(promise > 1e-20 * (1 + std::abs(height)))) break;
      double length = 1;
      int halvings = 0;
      std::vector<double> next;
      double next_height = 0;
      for (; halvings < most_halvings; ++halvings, length /= 2) {
        next = weights_;
        for (std::size_t c = 0; c < next.size(); ++c) next[c] += length * direction[c];
        next_height = log_posterior(next);
        if (next_height >= height + 1e-4 * length * promise) break;
      }
      if (halvings == most_halvings) break;
      weights_ = std::move(next);
      height = next_height;
      local = expansion();
    }
    Matrix covariance = inverse_cholesky(local.lower);
    for (double& entry : covariance.entries) entry *= temperature;
    return {std::move(weights_), std::move(covariance)};
  }

 private:
  struct Quadratic {
    std::vector<double> gradient;
    Matrix lower;  // of the matrix of the step
  };

  /// What enters the units, at each row.
  Matrix inputs(std::span<const double> weights) const {
    Matrix result = rows_.before;
    for (std::size_t i = 0; i < result.rows(); ++i)
      for (std::size_t c = 0; c < weights.size(); ++c)
        result.at(i, rows_.unit_of[c]) += rows_.multipliers.at(i, c) * weights[c];
    return result;
  }

  /// Of the activations.
  Matrix slopes_at(const Matrix& inputs) const {
    Matrix result = inputs;
    for (double& entry : result.entries) entry = entry > 0 ? 1 : rows_.slope;
    return result;
  }

  std::vector<double> outputs(const Matrix& inputs, const Matrix& slopes) const {
    std::vector<double> result = rows_.rest;
    for (std::size_t i = 0; i < result.size(); ++i)
      for (std::size_t u = 0; u < rows_.factors.size(); ++u)
        result[i] += rows_.factors[u] * slopes.at(i, u) * inputs.at(i, u);
    return result;
  }

  double log_posterior(std::span<const double> weights) const {
    const Matrix in = inputs(weights);
    const std::vector<double> out = outputs(in, slopes_.entries.empty() ? slopes_at(in) : slopes_);
    double sum = 0;
    for (std::size_t c = 0; c < weights.size(); ++c)
      sum -= lambda_ / 2 * (weights[c] - centre_[c]) * (weights[c] - centre_[c]);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (rows_.classes) {  // log of 1/(1 + e^-z), z the logit of the right class
        const double z = rows_.targets[i] > 0.5 ? out[i] : -out[i];
        sum += rows_.scales[i] * (std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z))));
      } else {
        const double error = rows_.targets[i] - out[i];
        sum -= rows_.scales[i] * error * error / 2;
      }
    }
    return sum;
  }

  Quadratic expansion() const {
    const Matrix in = inputs(weights_);
    const Matrix slopes = slopes_.entries.empty() ? slopes_at(in) : slopes_;
    const std::vector<double> out = outputs(in, slopes);
    const std::size_t count = weights_.size();
    Matrix gradients(out.size(), count);
    std::vector<double> scales;
    Quadratic result;
    for (std::size_t c = 0; c < count; ++c)
      result.gradient.push_back(-lambda_ * (weights_[c] - centre_[c]));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double p = rows_.classes ? 1 / (1 + std::exp(-out[i])) : out[i];
      scales.push_back(rows_.scales[i] * (rows_.classes ? p * (1 - p) : 1));
      for (std::size_t c = 0; c < count; ++c) {
        const std::size_t u = rows_.unit_of[c];
        gradients.at(i, c) = rows_.factors[u] * slopes.at(i, u) * rows_.multipliers.at(i, c);
        result.gradient[c] += rows_.scales[i] * (rows_.targets[i] - p) * gradients.at(i, c);
      }
    }
    Matrix precision = weighted_gram(gradients, scales);
    for (std::size_t c = 0; c < count; ++c) precision.at(c, c) += lambda_;
    result.lower = cholesky(precision);
    return result;
  }

  const HiddenRows& rows_;
  const double lambda_;
  std::vector<double> centre_;  // of the prior
  std::vector<double> weights_;
  Matrix slopes_;  // empty: as the weights say
};

}  // namespace

JointGaussian hidden_posterior(const HiddenRows& rows, std::span<const double> start,
                               Patterns patterns, const PosteriorOptions& options) {
  return Search(rows, start, patterns, options).run(options.temperature);
}

}  // namespace wmi::bnn
