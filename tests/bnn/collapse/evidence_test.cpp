#include "bnn/collapse/evidence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "solver/terms/error.h"
#include "tests/bnn/forward.h"

namespace wmi::bnn {
namespace {

Weights linear_sample(std::size_t outputs, std::size_t inputs, Random& random) {
  Weights result;
  encoders::Tensor<double> weight{{outputs, inputs}, {}}, bias{{outputs}, {}};
  for (std::size_t i = 0; i < outputs * inputs; ++i) weight.entries.push_back(random.normal());
  for (std::size_t i = 0; i < outputs; ++i) bias.entries.push_back(random.normal());
  result["fc1.weight"] = weight;
  result["fc1.bias"] = bias;
  return result;
}

Dataset random_rows(std::size_t count, std::size_t inputs, Random& random) {
  Dataset result{Matrix(count, inputs), {}};
  for (double& entry : result.inputs.entries) entry = random.normal();
  for (std::size_t i = 0; i < count; ++i) result.targets.push_back(random.normal());
  return result;
}

std::vector<double> evidences(const Observation& observation, const Weights& weights,
                              std::size_t outputs, const Dataset& rows,
                              const PosteriorOptions& options) {
  const encoders::Network network = mlp(rows.inputs.columns, {}, outputs);
  CollapseOptions collapsing;
  collapsing.posterior = "conditional";
  collapsing.options = options;
  const std::vector<Weights> samples{weights};
  const auto collapsed =
      collapse(network, rounded_forward, observation, samples, {}, &rows, collapsing);
  return log_evidences(network, rounded_forward, samples, collapsed, rows, options);
}

}  // namespace

TEST_CASE("the evidence of numbers is the density of a joint normal law") {
  // y ~ N(0, v I + Z Z' / lambda), whose density is taken by a Cholesky factor of the whole.
  Random random(1);
  for (const double lambda : {0.1, 1.0, 30.0})
    for (const double temperature : {1.0, 3.0}) {
      const Dataset rows = random_rows(12, 3, random);
      Weights weights = linear_sample(1, 3, random);
      weights[raw_variance_name] = {{1}, {std::log(0.3)}};
      const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};
      const double found = evidences(normal, weights, 1, rows, {lambda, temperature, 1})[0];
      Matrix covariance(12, 12);
      for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j) {
          double sum = 1;  // the bias
          for (std::size_t k = 0; k < 3; ++k) sum += rows.inputs.at(i, k) * rows.inputs.at(j, k);
          covariance.at(i, j) = sum / lambda + (i == j ? 0.3 : 0);
        }
      const Matrix lower = cholesky(covariance);
      const std::vector<double> solved = solve_cholesky(lower, rows.targets);
      double expected = -6 * std::log(2 * std::numbers::pi);
      for (std::size_t i = 0; i < 12; ++i)
        expected -= std::log(lower.at(i, i)) + 0.5 * rows.targets[i] * solved[i];
      CHECK(found == doctest::Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("the evidence of two classes is near the integral over the weights") {
  // One input and a bias: the integral by a fine grid.
  Random random(2);
  Dataset rows = random_rows(40, 1, random);
  for (double& target : rows.targets) target = target > 0 ? 1 : 0;
  const double lambda = 1;
  double sum = 0;
  constexpr double step = 0.02;
  for (double w = -6; w < 6; w += step)
    for (double b = -6; b < 6; b += step) {
      double log = -0.5 * lambda * (w * w + b * b);
      for (std::size_t i = 0; i < 40; ++i) {
        const double z = w * rows.inputs.at(i, 0) + b;
        log -= std::log1p(std::exp(rows.targets[i] == 1 ? -z : z));
      }
      sum += std::exp(log);
    }
  const double exact = std::log(sum * step * step * lambda / (2 * std::numbers::pi));
  const double found = evidences({Observation::Kind::sigmoid}, linear_sample(1, 1, random), 1, rows,
                                 {lambda, 1, 1})[0];
  CHECK(std::abs(found - exact) < 0.05);
}

TEST_CASE("a row of weight 2 counts as two rows") {
  Random random(4);
  Dataset once = random_rows(8, 2, random), twice = once;
  once.weights.assign(8, 1);
  once.weights[3] = 2;
  twice.targets.push_back(twice.targets[3]);
  const std::vector<double> again(twice.inputs.row(3).begin(), twice.inputs.row(3).end());
  twice.inputs.entries.insert(twice.inputs.entries.end(), again.begin(), again.end());
  Weights weights = linear_sample(1, 2, random);
  weights[raw_variance_name] = {{1}, {std::log(0.5)}};
  const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};
  CHECK(evidences(normal, weights, 1, once, {2, 1, 1})[0] ==
        doctest::Approx(evidences(normal, weights, 1, twice, {2, 1, 1})[0]).epsilon(1e-9));
}

TEST_CASE("evidence is refused for other collapses") {
  Random random(3);
  const Dataset rows = random_rows(5, 2, random);
  Weights weights = linear_sample(1, 2, random);
  weights[raw_variance_name] = {{1}, {0}};
  const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};
  const encoders::Network network = mlp(2, {}, 1);
  CollapseOptions moment;
  moment.posterior = "moment";
  const std::vector<Weights> samples{weights};
  const auto collapsed = collapse(network, rounded_forward, normal, samples, {}, &rows, moment);
  CHECK_THROWS_AS(log_evidences(network, rounded_forward, samples, collapsed, rows, {}), Error);
  CHECK_THROWS_AS(evidences(normal, weights, 1, rows, {0, 1, 1}), Error);
}

}  // namespace wmi::bnn
