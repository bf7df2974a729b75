#include "bnn/training/random_features.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "bnn/collapse/float_forward.h"
#include "bnn/numeric/linear_algebra.h"
#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "solver/terms/error.h"
#include "tests/bnn/training/line.h"

namespace wmi::bnn {
namespace {

const Observation noise{Observation::Kind::homoscedastic, Observation::Link::bounded, 1e-9};

encoders::Network small_network() { return with_prior_layer(mlp(1, {6}, 1, "tanh")); }

/// What enters the last layer, with a 1 for the bias.
Matrix entering(const RandomFeatures& drawn, const Matrix& inputs) {
  const Matrix found = float_forward(small_network(), drawn.weights(), inputs, "fc2").entering;
  Matrix result(found.rows(), found.columns + 1);
  for (std::size_t i = 0; i < found.rows(); ++i) {
    std::ranges::copy(found.row(i), result.row(i).begin());
    result.at(i, found.columns) = 1;
  }
  return result;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) result += a[i] * b[i];
  return result;
}

double noise_variance(const RandomFeatures& drawn) {
  return variance(noise, drawn.weights().at(raw_variance_name).entries[0]);
}

/// The covariance of the rows' outcomes: noise over weights, and features with standard normal
/// weights, of which the last `left_out` are left out.
Matrix covariance(const Matrix& z, const Dataset& rows, double variance, std::size_t left_out) {
  Matrix result(rows.rows(), rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.rows(); ++j)
      result.at(i, j) = dot(z.row(i).first(z.columns - left_out), z.row(j)) +
                        (i == j ? variance / rows.weight(i) : 0);
  return result;
}

/// log N(y; 0, C).
double log_normal(const std::vector<double>& y, const Matrix& covariance) {
  const Matrix lower = cholesky(covariance);
  double result = -0.5 * dot(y, solve_cholesky(lower, y));
  for (std::size_t i = 0; i < y.size(); ++i)
    result -= std::log(lower.at(i, i)) + 0.5 * std::log(2 * std::numbers::pi);
  return result;
}

TEST_CASE("predictions are those of the Gaussian process with these features") {
  Dataset rows = line(25);
  for (const bool weighted : {false, true}) {
    CAPTURE(weighted);
    if (weighted)
      for (std::size_t i = 0; i < 25; ++i) rows.weights.push_back(i % 2 == 0 ? 0.5 : 1.5);
    const RandomFeatures drawn(small_network(), make_dense_model, noise, rows, 5);
    const Matrix z = entering(drawn, rows.inputs);
    const double v = noise_variance(drawn);
    const Matrix all = covariance(z, rows, v, 0), lower = cholesky(all);
    Matrix asked(3, 1);
    asked.entries = {-2, 0.3, 7};
    const Matrix found = drawn.predictions(asked), at = entering(drawn, asked);
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> with(25);
      for (std::size_t i = 0; i < 25; ++i) with[i] = dot(at.row(k), z.row(i));
      CHECK(found.at(k, 0) ==
            doctest::Approx(dot(with, solve_cholesky(lower, rows.targets))).epsilon(1e-4));
      CHECK(found.at(k, 1) ==
            doctest::Approx(v + dot(at.row(k), at.row(k)) - dot(with, solve_cholesky(lower, with)))
                .epsilon(1e-4));
    }
    CHECK(drawn.log_evidence() ==
          doctest::Approx(log_normal(rows.targets, covariance(z, rows, v, 1))).epsilon(1e-5));
  }
}

TEST_CASE("no other noise has a larger marginal likelihood, and hardly another prior") {
  const Dataset rows = line(40);
  const RandomFeatures drawn(small_network(), make_dense_model, noise, rows, 8);
  const Matrix z = entering(drawn, rows.inputs);
  const double v = noise_variance(drawn);
  for (const double factor : {0.8, 1.25}) {
    // The best noise is that for the ratio of noise and prior, so both are scaled.
    Matrix scaled = z;
    for (double& entry : scaled.entries) entry *= std::sqrt(factor);
    CHECK(log_normal(rows.targets, covariance(scaled, rows, v * factor, 1)) < drawn.log_evidence());
  }
  for (const double factor : {0.1, 10.0}) {
    Matrix scaled = z;
    for (double& entry : scaled.entries) entry *= std::sqrt(factor);
    CHECK(log_normal(rows.targets, covariance(scaled, rows, v, 1)) < drawn.log_evidence());
  }
}

TEST_CASE("the weights are those of a network with the prior layer, and its outputs the mean") {
  const Dataset rows = line(30);
  const RandomFeatures drawn(small_network(), make_dense_model, noise, rows, 5);
  const Weights& weights = drawn.weights();
  const Matrix mean = outputs(small_network(), make_dense_model, weights, rows.inputs);
  const Matrix found = drawn.predictions(rows.inputs);
  for (std::size_t i = 0; i < 30; ++i)
    CHECK(mean.at(i, 0) == doctest::Approx(found.at(i, 0)).epsilon(1e-4));
  for (const auto& [name, tensor] : weights)
    for (const double entry : tensor.entries) CHECK(entry == static_cast<float>(entry));
  CHECK(RandomFeatures(small_network(), make_dense_model, noise, rows, 5).weights() == weights);
  CHECK(RandomFeatures(small_network(), make_dense_model, noise, rows, 6).weights() != weights);
}

TEST_CASE("a smooth function without noise is known to many digits, in doubles") {
  Dataset rows{Matrix(300, 2), {}};
  Random random(4);
  for (std::size_t i = 0; i < 300; ++i) {
    for (double& entry : rows.inputs.row(i)) entry = random.normal();
    rows.targets.push_back(std::tanh(rows.inputs.at(i, 0) * rows.inputs.at(i, 1)));
  }
  const encoders::Network network = with_prior_layer(mlp(2, {150}, 1, "tanh"));
  const RandomFeatures drawn(network, make_dense_model, noise, rows, 1);
  Matrix asked(50, 2);
  for (double& entry : asked.entries) entry = 2 * random.uniform() - 1;
  const Matrix found = drawn.predictions(asked);
  for (std::size_t i = 0; i < 50; ++i) {
    const double error = found.at(i, 0) - std::tanh(asked.at(i, 0) * asked.at(i, 1));
    CHECK(std::abs(error) < 0.02);
    CHECK(std::abs(error) < 6 * std::sqrt(found.at(i, 1)));
  }
}

TEST_CASE("other networks and outcomes are refused") {
  const Dataset rows = line(10);
  CHECK_THROWS_AS(with_prior_layer(mlp(1, {}, 1)), Error);
  CHECK_THROWS_AS(RandomFeatures(mlp(1, {6}, 1), make_dense_model, noise, rows, 1), Error);
  CHECK_THROWS_AS(RandomFeatures(small_network(), make_dense_model, {}, rows, 1), Error);
}

}  // namespace
}  // namespace wmi::bnn
