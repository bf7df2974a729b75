#include "bnn/collapse/hidden_posterior.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace wmi::bnn {
namespace {

/// Two units, three weights: two into the first unit, one into the second.
HiddenRows random_rows(unsigned seed, bool classes, double slope, double shift) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  HiddenRows rows;
  const std::size_t count = 30;
  rows.before = Matrix(count, 2);
  rows.multipliers = Matrix(count, 3);
  rows.unit_of = {0, 0, 1};
  rows.factors = {1.5, -0.75};
  rows.slope = slope;
  rows.classes = classes;
  for (double& entry : rows.before.entries) entry = shift + 0.5 * normal(random);
  for (double& entry : rows.multipliers.entries) entry = normal(random);
  for (std::size_t i = 0; i < count; ++i) {
    rows.rest.push_back(0.3 * normal(random));
    rows.targets.push_back(classes ? static_cast<double>(random() % 2) : normal(random));
    rows.scales.push_back(0.5 + static_cast<double>(random() % 3));
  }
  return rows;
}

/// The outputs with these weights, each unit with the slope it has there, or at other weights.
std::vector<double> outputs(const HiddenRows& rows, const std::vector<double>& weights,
                            const std::vector<double>& at) {
  std::vector<double> result = rows.rest;
  for (std::size_t i = 0; i < result.size(); ++i)
    for (std::size_t u = 0; u < 2; ++u) {
      double a = rows.before.at(i, u), there = a;
      for (std::size_t c = 0; c < 3; ++c)
        if (rows.unit_of[c] == u) {
          a += rows.multipliers.at(i, c) * weights[c];
          there += rows.multipliers.at(i, c) * at[c];
        }
      result[i] += rows.factors[u] * (there > 0 ? a : rows.slope * a);
    }
  return result;
}

double log_posterior(const HiddenRows& rows, const std::vector<double>& weights,
                     const std::vector<double>& at, const PosteriorOptions& options) {
  const std::vector<double> out = outputs(rows, weights, at);
  double sum = 0;
  for (std::size_t c = 0; c < weights.size(); ++c)
    sum -= options.lambda / 2 * std::pow(weights[c] - (options.at_sample ? at[c] : 0), 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (rows.classes)
      sum -= rows.scales[i] * std::log1p(std::exp(rows.targets[i] > 0 ? -out[i] : out[i]));
    else
      sum -= rows.scales[i] * std::pow(rows.targets[i] - out[i], 2) / 2;
  }
  return sum;
}

TEST_CASE("with the patterns of the start the law is at the mode, with the curvature there") {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const bool classes : {false, true}) {
      CAPTURE(seed);
      CAPTURE(classes);
      const HiddenRows rows = random_rows(seed, classes, seed % 2 == 0 ? 0 : 0.25, 0);
      const std::vector<double> start{0.3, -0.2, 0.5};
      const PosteriorOptions options{.lambda = 0.7, .temperature = 2, .at_sample = seed % 4 > 1};
      const JointGaussian found = hidden_posterior(rows, start, Patterns::of_start, options);
      // Second differences: minus the curvature is T covariance^-1.
      const double h = 1e-3;
      const auto at = [&](std::size_t a, double da, std::size_t b, double db) {
        std::vector<double> weights = found.mean;
        weights[a] += da;
        weights[b] += db;
        return log_posterior(rows, weights, start, options);
      };
      for (std::size_t a = 0; a < 3; ++a) {
        CHECK(std::abs(at(a, h, a, 0) - at(a, -h, a, 0)) / (2 * h) < 1e-4);
        for (std::size_t b = 0; b < 3; ++b) {
          double product = 0;  // of the curvature and the covariance: T times the identity
          for (std::size_t k = 0; k < 3; ++k) {
            const double second =
                (at(a, h, k, h) - at(a, h, k, -h) - at(a, -h, k, h) + at(a, -h, k, -h)) /
                (4 * h * h);
            product -= second * found.covariance.at(k, b);
          }
          CHECK(product == doctest::Approx(a == b ? 2.0 : 0.0).epsilon(1e-3).scale(1));
        }
      }
    }
}

TEST_CASE("where all units are on, a mode is that of the linear model") {
  for (const bool classes : {false, true}) {
    const HiddenRows rows = random_rows(5, classes, 0, 40);
    const std::vector<double> start{0.1, 0, -0.1};
    const JointGaussian fixed = hidden_posterior(rows, start, Patterns::of_start, {.lambda = 300});
    const JointGaussian own = hidden_posterior(rows, start, Patterns::own, {.lambda = 300});
    for (std::size_t c = 0; c < 3; ++c) CHECK(fixed.mean[c] == doctest::Approx(own.mean[c]));
    CHECK(fixed.covariance.entries[1] == doctest::Approx(own.covariance.entries[1]));
  }
}

TEST_CASE("with patterns of their own the weights become more probable, up to a mode") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const HiddenRows rows = random_rows(seed, seed % 2 == 1, 0.1, 0);
    const std::vector<double> start{0.3, -0.2, 0.5};
    const std::vector<double> found = hidden_posterior(rows, start, Patterns::own, {}).mean;
    const double height = log_posterior(rows, found, found, {.lambda = 0.3});
    CHECK(height >= log_posterior(rows, start, start, {.lambda = 0.3}));
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    int higher = 0;  // at a kink a neighbour may be higher by little
    for (int i = 0; i < 200; ++i) {
      std::vector<double> other = found;
      for (double& weight : other) weight += 0.02 * normal(random);
      higher += log_posterior(rows, other, other, {.lambda = 0.3}) > height + 1e-9;
    }
    CHECK(higher < 100);
  }
}

}  // namespace
}  // namespace wmi::bnn
