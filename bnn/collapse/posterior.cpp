// The Laplace posterior of logits. The log posterior is concave; Newton's Hessian couples the
// classes, so its bound of Boehning is taken instead: B = 1/2 sum z z' + lambda I (1/4 for a single
// logit) is at least the negative Hessian everywhere, hence W += B^-1 gradient never falls. A
// sample of a trajectory is close to the mode of its last layer, so that few steps are needed.

#include "bnn/collapse/posterior.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bnn/numeric/linear_algebra.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The sample's standard deviation (over n - 1). Exactly 0 for equal values, whatever the rounding
/// of their mean.
double deviation_of(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  if (least == most) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

Marginal around(double middle, double half, unsigned order) {
  if (half == 0) return {middle, middle, order};
  return {middle - half, middle + half, order};
}

Marginal minmax(std::span<const double> values, const PosteriorOptions& options) {
  const auto [least, most] = std::ranges::minmax(values);
  if (options.width == 1) return {least, most, 1};
  return around((least + most) / 2, options.width * (most - least) / 2, 1);
}

Marginal moment(std::span<const double> values, const PosteriorOptions& options) {
  return around(values.size() == 1 ? values[0] : mean_of(values),
                options.width * std::sqrt(3.0) * deviation_of(values), 1);
}

Marginal triangular(std::span<const double> values, const PosteriorOptions& options) {
  return around(values.size() == 1 ? values[0] : mean_of(values),
                options.width * std::sqrt(6.0) * deviation_of(values), 2);
}

constexpr PosteriorEntry table[] = {
    {"conditional",
     "the Gaussian law of the collapsed weights given the sampled ones and the training rows",
     PosteriorEntry::Kind::conditional, false, nullptr},
    {"conditional-box", "the same as a box in the eigenbasis of its covariance, variances matched",
     PosteriorEntry::Kind::conditional, true, nullptr},
    {"minmax", "uniform from the least to the largest value over the samples",
     PosteriorEntry::Kind::marginal, true, minmax},
    {"moment", "uniform with the mean and the variance over the samples",
     PosteriorEntry::Kind::marginal, true, moment},
    {"triangular", "triangular with the mean and the variance over the samples",
     PosteriorEntry::Kind::marginal, true, triangular},
};

void add_ridge(Matrix& matrix, double lambda) {
  for (std::size_t i = 0; i < matrix.columns; ++i) matrix.at(i, i) += lambda;
}

Matrix scaled(Matrix matrix, double factor) {
  for (double& entry : matrix.entries) entry *= factor;
  return matrix;
}

/// p of every class, from logits; of a single logit, that of class 1.
void probabilities(std::span<double> logits) {
  if (logits.size() == 1) {
    logits[0] = 1 / (1 + std::exp(-logits[0]));
    return;
  }
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (double& logit : logits) sum += logit = std::exp(logit - most);
  for (double& logit : logits) logit /= sum;
}

}  // namespace

std::span<const PosteriorEntry> posteriors() { return table; }

const PosteriorEntry& find_posterior(std::string_view name) {
  std::string known;
  for (const PosteriorEntry& entry : table) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error("no posterior named '" + std::string(name) + "'; choose " + known);
}

JointGaussian conditional_posterior(const Matrix& features, std::span<const double> targets,
                                    std::span<const double> variances,
                                    const PosteriorOptions& options) {
  const std::size_t n = features.columns;
  std::vector<double> scales, right(n);
  for (const double variance : variances) scales.push_back(1 / variance);
  Matrix precision = weighted_gram(features, scales);
  add_ridge(precision, options.lambda);
  for (std::size_t i = 0; i < features.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) right[j] += features.at(i, j) * targets[i] * scales[i];
  const Matrix lower = cholesky(precision);
  return {solve_cholesky(lower, right), scaled(inverse_cholesky(lower), options.temperature)};
}

std::vector<JointGaussian> laplace_posterior(const Matrix& features,
                                             std::span<const double> classes, const Matrix& start,
                                             const PosteriorOptions& options) {
  constexpr int most_steps = 200;
  const std::size_t rows = features.rows(), n = features.columns, count = start.rows();
  Matrix bound = weighted_gram(features, std::vector<double>(rows, count == 1 ? 0.25 : 0.5));
  add_ridge(bound, options.lambda);
  const Matrix lower = cholesky(bound);
  Matrix weights = start, spread(rows, count);
  const auto predict = [&] {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < count; ++k)
        spread.at(i, k) = std::inner_product(weights.row(k).begin(), weights.row(k).end(),
                                             features.row(i).begin(), 0.0);
      probabilities(spread.row(i));
    }
  };
  for (int step = 0; step < most_steps; ++step) {
    predict();
    Matrix gradient(count, n);
    for (std::size_t k = 0; k < count; ++k) {
      const double label = count == 1 ? 1 : static_cast<double>(k);
      for (std::size_t j = 0; j < n; ++j) gradient.at(k, j) = -options.lambda * weights.at(k, j);
      for (std::size_t i = 0; i < rows; ++i) {
        const double error = (classes[i] == label ? 1 : 0) - spread.at(i, k);
        for (std::size_t j = 0; j < n; ++j) gradient.at(k, j) += error * features.at(i, j);
      }
    }
    double change = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::vector<double> move = solve_cholesky(lower, gradient.row(k));
      for (std::size_t j = 0; j < n; ++j) {
        weights.at(k, j) += move[j];
        change += move[j] * gradient.at(k, j);
      }
    }
    if (change < 1e-10) break;
  }
  predict();
  std::vector<JointGaussian> result;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> scales;
    for (std::size_t i = 0; i < rows; ++i)
      scales.push_back(spread.at(i, k) * (1 - spread.at(i, k)));
    Matrix precision = weighted_gram(features, scales);
    add_ridge(precision, options.lambda);
    result.push_back({{weights.row(k).begin(), weights.row(k).end()},
                      scaled(inverse_cholesky(cholesky(precision)), options.temperature)});
  }
  return result;
}

}  // namespace wmi::bnn
