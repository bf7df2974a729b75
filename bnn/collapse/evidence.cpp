// For a Gaussian likelihood and prior, p(D) = p(D | w) p(w) / p(w | D) at every w. It is taken at
// the mean of the posterior, where the last factor is (2 pi)^(-d/2) det(P)^(1/2); for other
// likelihoods that is Laplace's approximation.

#include "bnn/collapse/evidence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// log p(w) - log p(w | D) at the mean of a Gaussian posterior of covariance T P^-1.
double log_prior_ratio(const CollapsedSample::Row& row, const PosteriorOptions& options) {
  const JointGaussian& posterior = row.joint;
  const auto dimension = static_cast<double>(posterior.mean.size());
  double square = 0;  // of the distance from the prior's mean
  for (std::size_t j = 0; j < posterior.mean.size(); ++j) {
    const double sampled = j < row.weights.size() ? row.weights[j] : row.bias;
    square += std::pow(posterior.mean[j] - (options.at_sample ? sampled : 0), 2);
  }
  const Matrix lower = cholesky(posterior.covariance);
  double log_determinant = -dimension * std::log(options.temperature);
  for (std::size_t i = 0; i < lower.columns; ++i) log_determinant += 2 * std::log(lower.at(i, i));
  return 0.5 * (dimension * std::log(options.lambda) - options.lambda * square + log_determinant);
}

double value_at(const std::vector<double>& weights, std::span<const double> entering) {
  return std::inner_product(entering.begin(), entering.end(), weights.begin(), weights.back());
}

double log_noise(const Tails& tails, double error, double variance) {
  return log_density(tails, error * error / variance) - 0.5 * std::log(variance);
}

/// log p(class) by softmax, or of one logit by the sigmoid.
double log_class(const std::vector<double>& logits, std::size_t target) {
  if (logits.size() == 1) {
    const double z = target == 1 ? logits[0] : -logits[0];
    return z < 0 ? z - std::log1p(std::exp(z)) : -std::log1p(std::exp(-z));
  }
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - most);
  return logits[target] - most - std::log(sum);
}

double log_likelihood(const CollapsedSample& sample, const Activations& found,
                      const Dataset& rows) {
  const Observation& observation = sample.observation;
  double sum = 0;
  std::vector<double> logits(sample.rows.size());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::span<const double> entering = found.entering.row(i);
    for (std::size_t k = 0; k < logits.size(); ++k)
      logits[k] = value_at(sample.rows[k].joint.mean, entering);
    if (!observation.regression()) {
      sum += rows.weight(i) * log_class(logits, static_cast<std::size_t>(rows.targets[i]));
      continue;
    }
    const double raw = observation.kind == Observation::Kind::heteroscedastic
                           ? found.outputs.at(i, 1)
                           : sample.raw_variance;
    sum += rows.weight(i) *
           log_noise(observation.tails, rows.targets[i] - logits[0], variance(observation, raw));
  }
  return sum;
}

}  // namespace

std::vector<double> log_evidences(const encoders::Network& network, const Forward& forward,
                                  std::span<const Weights> samples,
                                  std::span<const CollapsedSample> collapsed,
                                  const Dataset& training, const PosteriorOptions& options) {
  if (!(options.temperature > 0 && options.lambda > 0))
    throw Error("evidence needs a lambda and a temperature above 0");
  std::vector<double> result;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const CollapsedSample& sample = collapsed[i];
    for (const CollapsedSample::Row& row : sample.rows)
      if (!row.whole || row.joint.mean.empty())
        throw Error("evidence is for a whole last layer with the posterior 'conditional'");
    const Activations found = forward(network, samples[i], training.inputs, sample.layer);
    double sum = log_likelihood(sample, found, training);
    for (const CollapsedSample::Row& row : sample.rows) sum += log_prior_ratio(row, options);
    result.push_back(sum);
  }
  return result;
}

}  // namespace wmi::bnn
