#include "bnn/predictive/sample_weights.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"

namespace wmi::bnn {
namespace {

double mean_log(const Matrix& logs, std::span<const double> weights) {
  double sum = 0;
  for (const double log : mixture_logs(logs, weights)) sum += log;
  return sum / static_cast<double>(logs.rows());
}

}  // namespace

TEST_CASE("stacking finds the weights of a mixture that the rows were drawn from") {
  // Rows of 0.3 N(-2, 1) + 0.7 N(2, 1), and a third law that has nothing to do with them.
  Random random(1);
  Matrix logs(20'000, 3);
  for (std::size_t i = 0; i < logs.rows(); ++i) {
    const double y = random.normal() + (random.uniform() < 0.3 ? -2 : 2);
    const double means[] = {-2, 2, 9};
    for (std::size_t k = 0; k < 3; ++k) logs.at(i, k) = -0.5 * (y - means[k]) * (y - means[k]);
  }
  const std::vector<double> weights = stacking_weights(logs);
  CHECK(weights[0] == doctest::Approx(0.3).epsilon(0.05));
  CHECK(weights[1] == doctest::Approx(0.7).epsilon(0.03));
  CHECK(weights[2] < 1e-4);
}

TEST_CASE("stacked weights are best: no mixture with another sample is better") {
  Random random(2);
  for (int repetition = 0; repetition < 30; ++repetition) {
    Matrix logs(40, 6);
    for (double& entry : logs.entries) entry = 30 * random.normal();  // far apart
    const std::vector<double> weights = stacking_weights(logs);
    const double best = mean_log(logs, weights);
    double sum = 0;
    for (const double weight : weights) sum += weight;
    CHECK(sum == doctest::Approx(1));
    for (std::size_t k = 0; k < 6; ++k)
      for (const double share : {1.0, 0.1, 0.01}) {
        std::vector<double> other = weights;
        for (double& weight : other) weight *= 1 - share;
        other[k] += share;
        CHECK(mean_log(logs, other) <= best + 2e-6);
      }
  }
}

TEST_CASE("one sample has all weight, and a row that no sample allows does not matter") {
  Matrix one(3, 1);
  CHECK(stacking_weights(one) == std::vector<double>{1});
  Matrix logs(2, 2);
  logs.entries = {-INFINITY, -INFINITY, 0, -INFINITY};
  const std::vector<double> weights = stacking_weights(logs);
  CHECK(weights[0] > 0.99);
  CHECK(mixture_logs(logs, {})[0] == -INFINITY);
  CHECK(mixture_logs(logs, {})[1] == doctest::Approx(std::log(0.5)));
}

TEST_CASE("evidence weighs in proportion, also where evidences are far from 1") {
  const std::vector<double> logs{-1000, -1000 + std::log(3.0)};
  CHECK(evidence_weights(logs, 1)[1] == doctest::Approx(0.75));
  CHECK(evidence_weights(logs, 0)[1] == doctest::Approx(0.5));
  CHECK(evidence_weights(logs, 2)[1] == doctest::Approx(0.9));
}

}  // namespace wmi::bnn
