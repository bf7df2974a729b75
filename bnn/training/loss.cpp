#include "bnn/training/loss.h"

#include <algorithm>
#include <cmath>

namespace wmi::bnn {
namespace {

constexpr double most_raw = 700;  // where the exponential would overflow

/// The variance and its derivative by the raw output.
struct Variance {
  double value;
  double slope;
};

Variance variance_of(const Observation& observation, double raw) {
  raw = std::min(raw, most_raw);
  return {variance(observation, raw), variance_slope(observation, raw)};
}

double log_sum_exp(std::span<const double> logits) {
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - most);
  return most + std::log(sum);
}

/// log(1 + exp(x)).
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

std::size_t output_count(const Observation& observation) {
  switch (observation.kind) {
    case Observation::Kind::heteroscedastic:
      return 2;
    case Observation::Kind::softmax:
      return 0;
    default:
      return 1;
  }
}

double log_likelihood(const Observation& observation, std::span<const double> outputs,
                      double raw_variance, double target) {
  switch (observation.kind) {
    case Observation::Kind::heteroscedastic:
      raw_variance = outputs[1];
      [[fallthrough]];
    case Observation::Kind::homoscedastic: {
      const double v = variance_of(observation, raw_variance).value;
      const double error = target - outputs[0];
      return log_density(observation.tails, error * error / v) - 0.5 * std::log(v);
    }
    case Observation::Kind::softmax:
      return outputs[static_cast<std::size_t>(target)] - log_sum_exp(outputs);
    case Observation::Kind::sigmoid:
      return -softplus(target > 0.5 ? -outputs[0] : outputs[0]);
  }
  return 0;
}

Loss loss(const Observation& observation, double beta, const Matrix& outputs,
          std::span<const double> targets, double raw_variance, Matrix& derivatives,
          std::span<const double> weights) {
  Loss result;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double share = (weights.empty() ? 1 : weights[i]) / static_cast<double>(targets.size());
    const std::span<const double> row = outputs.row(i);
    const std::span<double> slopes = derivatives.row(i);
    result.value -= share * log_likelihood(observation, row, raw_variance, targets[i]);
    switch (observation.kind) {
      case Observation::Kind::heteroscedastic:
      case Observation::Kind::homoscedastic: {
        const bool own = observation.kind == Observation::Kind::heteroscedastic;
        const Variance v = variance_of(observation, own ? row[1] : raw_variance);
        const double error = targets[i] - row[0];
        const double weight = beta == 0 ? share : share * std::pow(v.value, beta);
        const double square = error * error / v.value;
        const double part = precision(observation.tails, square);
        slopes[0] = -weight * part * error / v.value;
        const double slope = weight * 0.5 * (1 - part * square) * (v.slope / v.value);
        if (own)
          slopes[1] = slope;
        else
          result.raw_variance += slope;
        break;
      }
      case Observation::Kind::softmax: {
        const double total = log_sum_exp(row);
        for (std::size_t k = 0; k < row.size(); ++k)
          slopes[k] = share * (std::exp(row[k] - total) -
                               (k == static_cast<std::size_t>(targets[i]) ? 1 : 0));
        break;
      }
      case Observation::Kind::sigmoid:
        slopes[0] = share * (1 / (1 + std::exp(-row[0])) - (targets[i] > 0.5 ? 1 : 0));
        break;
    }
  }
  return result;
}

}  // namespace wmi::bnn
