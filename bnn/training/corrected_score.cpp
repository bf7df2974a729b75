// The factor of a deviation is found by expectation maximisation: its square is the mean squared
// error, each row by its share of the usual noise and, divided by the square of their factor, of
// the outliers. The divisor of logits is found by golden section search.

#include "bnn/training/corrected_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bnn/training/loss.h"

namespace wmi::bnn {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double log_two_pi = 1.8378770664093454835606594728112;
constexpr double outliers = 0.03;
constexpr double outlier_square = 25;                     // of the factor of their deviation
constexpr double least_square = 0.01, most_square = 100;  // of the factor of all deviations
constexpr double fitting_rows = 10;  // as many errors of the size that is expected are added, since
                                     // a factor from a few rows means little
constexpr std::size_t steps = 8;
constexpr double least_divisor = 0.1, most_divisor = 10;

double total_weight(const Dataset& rows) {
  double result = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) result += rows.weight(i);
  return result;
}

/// Of a number under each sample: the logarithm of the variance, and the squared error in units of
/// it.
struct Error {
  double log_variance;
  double square;
};

double corrected_normal(const Observation& observation, std::span<const Matrix> outputs,
                        std::span<const double> raw_variances, const Dataset& rows) {
  const std::size_t count = outputs.size();
  std::vector<Error> errors;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t k = 0; k < count; ++k) {
      const std::span<const double> row = outputs[k].row(i);
      const double v = variance(observation, observation.kind == Observation::Kind::heteroscedastic
                                                 ? row[1]
                                                 : raw_variances[k]);
      const double error = rows.targets[i] - row[0];
      errors.push_back({std::log(v), error * error / v});
    }
  const double weight = total_weight(rows);
  const double usual_share = std::log1p(-outliers), outlier_share = std::log(outliers);
  double square = 1, result = never;
  for (std::size_t step = 0; step < steps; ++step) {
    const double usual_constant = usual_share - 0.5 * (log_two_pi + std::log(square));
    const double outlier_constant =
        outlier_share - 0.5 * (log_two_pi + std::log(square * outlier_square));
    double score = 0, squares = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      double density = 0, sum = 0, most = never;
      const std::span<const Error> of_row(&errors[i * count], count);
      for (const Error& error : of_row)
        most =
            std::max(most, -0.5 * (error.log_variance + error.square / (square * outlier_square)));
      for (const Error& error : of_row) {
        const double usual =
            std::exp(usual_constant - 0.5 * (error.log_variance + error.square / square) - most);
        const double outlying =
            std::exp(outlier_constant -
                     0.5 * (error.log_variance + error.square / (square * outlier_square)) - most);
        density += usual + outlying;
        sum += error.square * (usual + outlying / outlier_square);
      }
      score += rows.weight(i) * (most + std::log(density / static_cast<double>(count)));
      squares += rows.weight(i) * sum / density;
    }
    if (!std::isfinite(score)) return never;
    result = score / weight;
    square =
        std::clamp((squares + fitting_rows) / (weight + fitting_rows), least_square, most_square);
  }
  return result;
}

double class_score(const Observation& observation, std::span<const Matrix> outputs,
                   const Dataset& rows, double divisor) {
  double sum = 0;
  std::vector<double> logits;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double probability = 0;
    for (const Matrix& of_sample : outputs) {
      logits.assign(of_sample.row(i).begin(), of_sample.row(i).end());
      for (double& logit : logits) logit /= divisor;
      probability += std::exp(log_likelihood(observation, logits, 0, rows.targets[i]));
    }
    sum += rows.weight(i) *
           std::log(std::max(probability / static_cast<double>(outputs.size()), 1e-300));
  }
  return sum / total_weight(rows);
}

double corrected_classes(const Observation& observation, std::span<const Matrix> outputs,
                         const Dataset& rows) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(least_divisor), high = std::log(most_divisor);
  const auto score = [&](double at) {
    return class_score(observation, outputs, rows, std::exp(at));
  };
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = score(left), at_right = score(right);
  for (std::size_t step = 0; step < steps; ++step) {
    if (at_left >= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = score(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = score(right);
    }
  }
  return std::max(at_left, at_right);
}

}  // namespace

double corrected_log_likelihood(const Observation& observation, std::span<const Matrix> outputs,
                                std::span<const double> raw_variances, const Dataset& rows) {
  for (const Matrix& each : outputs)
    for (const double entry : each.entries)
      if (!std::isfinite(entry)) return never;
  return observation.regression() ? corrected_normal(observation, outputs, raw_variances, rows)
                                  : corrected_classes(observation, outputs, rows);
}

}  // namespace wmi::bnn
