#include "bnn/collapse/posterior.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bnn/collapse/softmax_mode.h"
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
    {"laplace", "the Gaussian law at a mode of the posterior given the sampled weights",
     PosteriorEntry::Kind::laplace, false, nullptr},
    {"swag",
     "the Gaussian law of the values over the samples: half their covariance, half its diagonal",
     PosteriorEntry::Kind::samples, false, nullptr},
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

JointGaussian swag_posterior(const Matrix& samples, const PosteriorOptions& options) {
  const std::size_t n = samples.columns, count = samples.rows();
  JointGaussian result{std::vector<double>(n), Matrix(n, n)};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < n; ++j)
      result.mean[j] += samples.at(i, j) / static_cast<double>(count);
  if (count < 2) return result;
  const double scale = options.temperature / static_cast<double>(count - 1);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i)
        sum += (samples.at(i, j) - result.mean[j]) * (samples.at(i, k) - result.mean[k]);
      result.covariance.at(j, k) = scale * (j == k ? sum : sum / 2);
    }
  return result;
}

JointGaussian conditional_posterior(const Matrix& features, std::span<const double> targets,
                                    std::span<const double> variances,
                                    std::span<const double> sampled,
                                    const PosteriorOptions& options) {
  const std::size_t n = features.columns;
  std::vector<double> scales, right(n);
  if (options.at_sample)
    for (std::size_t j = 0; j < n; ++j) right[j] = options.lambda * sampled[j];
  for (const double variance : variances) scales.push_back(1 / variance);
  Matrix precision = weighted_gram(features, scales);
  add_ridge(precision, options.lambda);
  for (std::size_t i = 0; i < features.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) right[j] += features.at(i, j) * targets[i] * scales[i];
  const Matrix lower = cholesky(precision);
  return {solve_cholesky(lower, right), scaled(inverse_cholesky(lower), options.temperature)};
}

std::vector<JointGaussian> laplace_posterior(const Matrix& features,
                                             std::span<const double> classes, const Matrix& sampled,
                                             const PosteriorOptions& options,
                                             std::span<const double> row_weights) {
  const Matrix centre = options.at_sample ? sampled : Matrix(sampled.rows(), sampled.columns);
  const SoftmaxMode mode =
      softmax_mode(features, classes, sampled, centre, options.lambda, row_weights);
  Matrix scales(sampled.rows(), features.rows());
  for (std::size_t k = 0; k < sampled.rows(); ++k)
    for (std::size_t i = 0; i < features.rows(); ++i) {
      const double p = mode.probabilities.at(i, k);
      scales.at(k, i) = (row_weights.empty() ? 1 : row_weights[i]) * p * (1 - p);
    }
  std::vector<Matrix> precisions = weighted_grams(features, sampled.rows(), scales);
  std::vector<JointGaussian> result;
  for (std::size_t k = 0; k < sampled.rows(); ++k) {
    add_ridge(precisions[k], options.lambda);
    result.push_back({{mode.weights.row(k).begin(), mode.weights.row(k).end()},
                      scaled(inverse_cholesky(cholesky(precisions[k])), options.temperature)});
    precisions[k] = {};
  }
  return result;
}

}  // namespace wmi::bnn
