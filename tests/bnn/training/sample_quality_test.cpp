#include "bnn/training/sample_quality.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "bnn/training/loss.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "tests/bnn/training/line.h"

namespace wmi::bnn {
namespace {

TEST_CASE("the spread of samples is measured in the noise's standard deviation") {
  // Two samples with means -1 and 1 and variance 4: sqrt(2) / 2.
  const encoders::Network network = mlp(1, {}, 1);
  const Observation observation{Observation::Kind::homoscedastic, Observation::Link::exponential,
                                0};
  Weights low = weights_of(network, observation);
  low.find(raw_variance_name)->second.entries = {std::log(4.0)};
  Weights high = low;
  low.find("fc1.bias")->second.entries = {-1};
  high.find("fc1.bias")->second.entries = {1};
  const std::vector<Weights> samples{low, high};
  CHECK(relative_spread(network, make_dense_model, observation, samples, line(5)) ==
        doctest::Approx(std::sqrt(2.0) / 2));
  CHECK(relative_spread(network, make_dense_model, observation, std::vector<Weights>{low, low},
                        line(5)) == 0);
}

TEST_CASE("the likelihood of an average of equal samples is that of one") {
  const encoders::Network network = mlp(1, {}, 1);
  const Observation observation{Observation::Kind::homoscedastic, Observation::Link::exponential,
                                0};
  const Weights weights = weights_of(network, observation);  // mean 0 and variance 1 everywhere
  const Dataset rows = line(5);
  double expected = 0;
  for (const double target : rows.targets)
    expected += log_likelihood(observation, std::vector<double>{0}, 0, target) / 5;
  CHECK(average_log_likelihood(network, make_dense_model, observation,
                               std::vector<Weights>{weights, weights},
                               rows) == doctest::Approx(expected));
}

TEST_CASE("the best constant forecast is that of mean and variance, or of shares") {
  Dataset numbers{Matrix(4, 1), {1, 1, 3, 3}};
  // Mean 2, variance 1: log density -1/2 log(2 pi) - 1/2 for each.
  CHECK(constant_log_likelihood(numbers, true) == doctest::Approx(-1.4189385332));
  Dataset classes{Matrix(4, 1), {0, 1, 1, 1}};
  CHECK(constant_log_likelihood(classes, false) ==
        doctest::Approx(0.25 * std::log(0.25) + 0.75 * std::log(0.75)));
  classes.weights = {3, 1, 1, 1};
  CHECK(constant_log_likelihood(classes, false) == doctest::Approx(std::log(0.5)));
  numbers.weights = {2, 0, 2, 0};
  CHECK(constant_log_likelihood(numbers, true) == doctest::Approx(-1.4189385332));
}

}  // namespace
}  // namespace wmi::bnn
