#include "bnn/training/sample_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "bnn/training/loss.h"
#include "bnn/training/parameters.h"

namespace wmi::bnn {
namespace {

/// The mean and the variance of an outcome: of a number, or of each class.
struct Moments {
  std::vector<double> mean;
  double variance = 0;
};

Moments moments(const Observation& observation, std::span<const double> outputs, double raw) {
  if (observation.kind == Observation::Kind::heteroscedastic) raw = outputs[1];
  if (observation.regression()) return {{outputs[0]}, variance(observation, raw)};
  Moments result;
  if (observation.kind == Observation::Kind::sigmoid) {
    result.mean = {std::exp(log_likelihood(observation, outputs, 0, 1))};
  } else {
    for (std::size_t k = 0; k < outputs.size(); ++k)
      result.mean.push_back(std::exp(log_likelihood(observation, outputs, 0, double(k))));
  }
  for (const double p : result.mean) result.variance += p * (1 - p);
  return result;
}

double raw_variance(const Weights& weights) {
  const auto found = weights.find(raw_variance_name);
  return found == weights.end() ? 0 : found->second.entries[0];
}

}  // namespace

double average_log_likelihood(const encoders::Network& network, const ModelFactory& make_model,
                              const Observation& observation, std::span<const Weights> samples,
                              const Dataset& rows) {
  std::vector<Matrix> found;
  std::vector<double> raw;
  for (const Weights& weights : samples) {
    found.push_back(outputs(network, make_model, weights, rows.inputs));
    raw.push_back(raw_variance(weights));
  }
  return average_log_likelihood(observation, found, raw, rows);
}

double average_log_likelihood(const Observation& observation, std::span<const Matrix> found,
                              std::span<const double> raw_variances, const Dataset& rows) {
  std::vector<double> logs(rows.rows(), -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < found.size(); ++k)
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const double next =
          log_likelihood(observation, found[k].row(i), raw_variances[k], rows.targets[i]);
      const double most = std::max(logs[i], next), least = std::min(logs[i], next);
      logs[i] = most + std::log1p(std::exp(least - most));
    }
  double total = 0, count = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    total += rows.weight(i) * (logs[i] - std::log(static_cast<double>(found.size())));
    count += rows.weight(i);
  }
  return total / count;
}

double constant_log_likelihood(const Dataset& rows, bool regression) {
  double count = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) count += rows.weight(i);
  if (regression) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) mean += rows.weight(i) * rows.targets[i] / count;
    for (std::size_t i = 0; i < rows.rows(); ++i)
      square += rows.weight(i) * (rows.targets[i] - mean) * (rows.targets[i] - mean) / count;
    return -0.5 * std::log(2 * std::numbers::pi * std::numbers::e * square);
  }
  std::vector<double> shares;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto k = static_cast<std::size_t>(rows.targets[i]);
    shares.resize(std::max(shares.size(), k + 1));
    shares[k] += rows.weight(i) / count;
  }
  double result = 0;
  for (const double share : shares)
    if (share > 0) result += share * std::log(share);
  return result;
}

double relative_spread(const encoders::Network& network, const ModelFactory& make_model,
                       const Observation& observation, std::span<const Weights> samples,
                       const Dataset& rows) {
  if (samples.size() < 2 || rows.rows() == 0) return 0;
  std::vector<std::vector<double>> sums(rows.rows()), squares(rows.rows());
  double noise = 0;
  for (const Weights& weights : samples) {
    const Matrix found = outputs(network, make_model, weights, rows.inputs);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const Moments m = moments(observation, found.row(i), raw_variance(weights));
      sums[i].resize(m.mean.size());
      squares[i].resize(m.mean.size());
      for (std::size_t k = 0; k < m.mean.size(); ++k) {
        sums[i][k] += m.mean[k];
        squares[i][k] += m.mean[k] * m.mean[k];
      }
      noise += m.variance;
    }
  }
  const auto count = static_cast<double>(samples.size());
  double spread = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t k = 0; k < sums[i].size(); ++k)
      spread += std::max(0.0, squares[i][k] - sums[i][k] * sums[i][k] / count) / (count - 1);
  return std::sqrt(spread / (noise / count));
}

}  // namespace wmi::bnn
