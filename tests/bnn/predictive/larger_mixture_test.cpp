#include "bnn/predictive/larger_mixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bnn/numeric/random.h"
#include "bnn/predictive/sample_weights.h"

namespace wmi::bnn {
namespace {

/// Log likelihoods of rows under two samples of each of so many trajectories, exchangeable.
Matrix random_logs(std::size_t rows, std::size_t trajectories, Random& random) {
  Matrix result(rows, 2 * trajectories);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < trajectories; ++t)
      result.at(i, 2 * t) = result.at(i, 2 * t + 1) = -0.5 * std::pow(0.7 * random.normal(), 2);
  return result;
}

std::vector<std::size_t> pairs(std::size_t trajectories) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < 2 * trajectories; ++k) result.push_back(k / 2);
  return result;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("the mixture of more trajectories is foretold by that of few") {
  Random random(3);
  constexpr std::size_t rows = 20'000;
  const double of_25 = mean(mixture_logs(random_logs(rows, 25, random), {}));
  for (const std::size_t there : {3, 4, 5}) {
    CAPTURE(there);
    const Matrix few = random_logs(rows, there, random);
    const double plain = mean(mixture_logs(few, {}));
    const double foretold = mean(larger_mixture_logs(few, pairs(there), 25));
    CHECK(plain < of_25);
    CHECK(foretold > plain);
    CHECK(std::abs(foretold - of_25) < 0.5 * std::abs(plain - of_25));
  }
}

TEST_CASE("a row is at most as likely as under the best trajectory") {
  Matrix logs(2, 2);
  logs.entries = {-1, -40, -2, -2};
  const std::vector<std::size_t> trajectories{0, 1};
  const std::vector<double> found = larger_mixture_logs(logs, trajectories, 1'000);
  CHECK(found[0] == doctest::Approx(-1));
  CHECK(found[1] == doctest::Approx(-2));
  // (log m_2 - mean log m_1) (1/2 - 1/4) / (1 - 1/2) on top, by hand.
  logs.entries = {std::log(0.5), std::log(0.3), 0, 0};
  CHECK(larger_mixture_logs(logs, trajectories, 4)[0] ==
        doctest::Approx(std::log(0.4) + 0.5 * (std::log(0.4) - 0.5 * std::log(0.15))));
}

TEST_CASE("with no more trajectories than there are it is their mixture") {
  Random random(4);
  const Matrix logs = random_logs(10, 3, random);
  const std::vector<double> plain = mixture_logs(logs, {});
  CHECK(larger_mixture_logs(logs, pairs(3), 3) == plain);
  CHECK(larger_mixture_logs(logs, pairs(3), 0) == plain);
  const std::vector<std::size_t> one(6, 8);
  CHECK(larger_mixture_logs(logs, one, 9) == plain);
}

}  // namespace wmi::bnn
