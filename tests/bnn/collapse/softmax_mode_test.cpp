#include "bnn/collapse/softmax_mode.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bnn/numeric/linear_algebra.h"

namespace wmi::bnn {
namespace {

struct Examples {
  Matrix features;
  std::vector<double> classes;
};

Examples random_examples(std::mt19937& random, std::size_t rows, std::size_t columns,
                         std::size_t count, bool separable) {
  std::normal_distribution<double> normal;
  Examples result{Matrix(rows, columns), {}};
  const std::size_t labels = std::max<std::size_t>(count, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = random() % labels;
    result.classes.push_back(static_cast<double>(label));
    for (std::size_t j = 0; j < columns; ++j)
      result.features.at(i, j) = j + 1 == columns ? 1 : normal(random);
    if (separable) result.features.at(i, label % columns) += 9;
  }
  return result;
}

/// The log likelihood minus lambda / 2 times the squared distances from the centre, term by term.
double log_posterior(const Examples& examples, const Matrix& weights, const Matrix& centre,
                     double lambda) {
  double sum = 0;
  for (std::size_t j = 0; j < weights.entries.size(); ++j)
    sum -= lambda / 2 * std::pow(weights.entries[j] - centre.entries[j], 2);
  for (std::size_t i = 0; i < examples.features.rows(); ++i) {
    std::vector<double> logits;
    if (weights.rows() == 1) logits.push_back(0);
    for (std::size_t k = 0; k < weights.rows(); ++k) {
      double logit = 0;
      for (std::size_t j = 0; j < weights.columns; ++j)
        logit += weights.at(k, j) * examples.features.at(i, j);
      logits.push_back(logit);
    }
    const double most = *std::ranges::max_element(logits);
    double total = 0;
    for (const double logit : logits) total += std::exp(logit - most);
    sum += logits[static_cast<std::size_t>(examples.classes[i])] - most - std::log(total);
  }
  return sum;
}

TEST_CASE("no step away from the mode improves it, from near and far starts") {
  std::mt19937 random(5), random_centre(6);
  std::normal_distribution<double> normal, normal_centre;
  for (int run = 0; run < 60; ++run) {
    CAPTURE(run);
    const std::size_t count = std::vector<std::size_t>{1, 2, 3, 7}[random() % 4];
    const std::size_t columns = 1 + random() % 6, rows = 5 + random() % 80;
    const double lambda = std::pow(10, static_cast<double>(random() % 5) - 3);
    const Examples examples = random_examples(random, rows, columns, count, run % 3 == 0);
    Matrix start(count, columns), centre(count, columns);
    if (run % 4 > 1)
      for (double& weight : centre.entries) weight = 2 * normal_centre(random_centre);
    for (double& weight : start.entries) weight = (run % 2 == 0 ? 0.1 : 20) * normal(random);
    const SoftmaxMode mode =
        softmax_mode(examples.features, examples.classes, start, centre, lambda);
    const double best = log_posterior(examples, mode.weights, centre, lambda);
    CHECK(best >= log_posterior(examples, start, centre, lambda) - 1e-9);
    for (int direction = 0; direction < 20; ++direction) {
      Matrix moved = mode.weights;
      for (double& weight : moved.entries) weight += 1e-3 * normal(random);
      CHECK(log_posterior(examples, moved, centre, lambda) < best + 1e-8);
    }
    // Another start ends at the same place.
    const SoftmaxMode again =
        softmax_mode(examples.features, examples.classes, Matrix(count, columns), centre, lambda);
    CHECK(log_posterior(examples, again.weights, centre, lambda) ==
          doctest::Approx(best).epsilon(1e-8));
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < count; ++k)
        CHECK(mode.probabilities.at(i, k) ==
              doctest::Approx(again.probabilities.at(i, k)).epsilon(1e-3));
  }
}

TEST_CASE("one weight of one logit is the root of its score") {
  // Three ones and one zero at the feature 1: 3 - 4 p(w) = lambda (w - c).
  Matrix features(4, 1);
  std::ranges::fill(features.entries, 1);
  const std::vector<double> classes{1, 1, 1, 0};
  for (const double c : {0.0, -2.0}) {
    Matrix centre(1, 1);
    centre.at(0, 0) = c;
    const SoftmaxMode mode = softmax_mode(features, classes, Matrix(1, 1), centre, 0.5);
    const double w = mode.weights.at(0, 0), p = 1 / (1 + std::exp(-w));
    CHECK(3 - 4 * p == doctest::Approx(0.5 * (w - c)).epsilon(1e-5));
    CHECK(mode.probabilities.at(0, 0) == doctest::Approx(p).epsilon(1e-14));
  }
}

}  // namespace
}  // namespace wmi::bnn
