#include "bnn/predictive/sample_weights.h"

#include <algorithm>
#include <cmath>

namespace wmi::bnn {
namespace {

/// The likelihoods of each row relative to its largest.
Matrix relative(const Matrix& logs) {
  Matrix result = logs;
  for (std::size_t i = 0; i < result.rows(); ++i) {
    const std::span<double> row = result.row(i);
    const double most = *std::ranges::max_element(row);
    for (double& entry : row) entry = std::isinf(most) ? 1 : std::exp(entry - most);
  }
  return result;
}

}  // namespace

std::vector<double> stacking_weights(const Matrix& logs) {
  constexpr int most_steps = 10'000;
  constexpr double accuracy = 1e-6;
  const std::size_t samples = logs.columns;
  const Matrix likelihoods = relative(logs);
  std::vector<double> weights(samples, 1 / static_cast<double>(samples)), factors(samples);
  for (int step = 0; step < most_steps; ++step) {
    std::ranges::fill(factors, 0);
    for (std::size_t i = 0; i < likelihoods.rows(); ++i) {
      const std::span<const double> row = likelihoods.row(i);
      double sum = 0;
      for (std::size_t k = 0; k < samples; ++k) sum += weights[k] * row[k];
      for (std::size_t k = 0; k < samples; ++k) factors[k] += row[k] / sum;
    }
    for (double& factor : factors) factor /= static_cast<double>(likelihoods.rows());
    // The objective is concave with this gradient, so it is at most max - 1 below its largest value.
    if (*std::ranges::max_element(factors) <= 1 + accuracy) break;
    for (std::size_t k = 0; k < samples; ++k) weights[k] *= factors[k];
  }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> evidence_weights(std::span<const double> log_evidences, double power) {
  const double most = *std::ranges::max_element(log_evidences);
  std::vector<double> result;
  double sum = 0;
  for (const double log : log_evidences) sum += result.emplace_back(std::exp(power * (log - most)));
  for (double& weight : result) weight /= sum;
  return result;
}

std::vector<double> mixture_logs(const Matrix& logs, std::span<const double> weights) {
  std::vector<double> result;
  result.reserve(logs.rows());
  for (std::size_t i = 0; i < logs.rows(); ++i) {
    const std::span<const double> row = logs.row(i);
    const double most = *std::ranges::max_element(row);
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k)
      sum += (weights.empty() ? 1 / static_cast<double>(row.size()) : weights[k]) *
             std::exp(row[k] - most);
    result.push_back(std::isinf(most) ? most : most + std::log(sum));
  }
  return result;
}

}  // namespace wmi::bnn
