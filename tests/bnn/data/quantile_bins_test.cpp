#include "bnn/data/quantile_bins.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "encoders/exact.h"
#include "encoders/network.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

Matrix column(std::vector<double> values) {
  Matrix result(values.size(), 1);
  result.entries = std::move(values);
  return result;
}

/// What the ramps make of a row.
std::vector<double> encoded(const encoders::Ramps& ramps, std::span<const double> row) {
  encoders::Network network;
  network.input = {row.size()};
  network.layers.push_back({"bins", ramps, {"input"}});
  network.output = {"bins"};
  encoders::ExactAlgebra algebra(network);
  std::vector<Rational> input(row.begin(), row.end());
  std::vector<double> result;
  const auto outputs = encoders::run(network, algebra, {network.input, input});
  for (const Rational& entry : outputs[0].entries) result.push_back(entry.get_d());
  return result;
}

}  // namespace

TEST_CASE("bins lie between quantiles") {
  const encoders::Ramps ramps = quantile_bins(column({4, 0, 2, 1, 3}), 2);
  CHECK(ramps.entries == std::vector<std::size_t>{0, 0});
  CHECK(ramps.begin == std::vector<Rational>{0, 2});
  CHECK(ramps.end == std::vector<Rational>{2, 4});
  // Half way up at 1: the ramp of 0, 1, 2, 2, 2 over 2 has the mean 7/10 and the variance 16/100.
  const std::vector<double> at = encoded(ramps, std::vector<double>{1});
  CHECK(at[0] == 1);
  CHECK(at[1] == doctest::Approx((0.5 - 0.7) / 0.4).epsilon(1e-6));
}

TEST_CASE("equal quantiles are one, and columns of two values have no bins") {
  CHECK(quantile_bins(column({0, 0, 0, 0, 1, 2}), 3).size() == 2);
  CHECK(quantile_bins(column({0, 1, 1, 0, 1}), 4).size() == 0);
  CHECK(quantile_bins(column({7, 7, 7}), 4).size() == 0);
  CHECK(quantile_bins(column({0, 1, 2}), 0).size() == 0);
  CHECK(quantile_bins(Matrix(0, 3), 4).size() == 0);
}

TEST_CASE("ramps have mean 0 and variance 1 over the rows") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Matrix rows(50, 2);
    for (double& entry : rows.entries) entry = std::pow(random.uniform(), 3) - 0.5;
    const encoders::Ramps ramps = quantile_bins(rows, 1 + seed % 8);
    REQUIRE(ramps.size() == 2 * (1 + seed % 8));
    for (std::size_t k = 0; k < ramps.size(); ++k) {
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        const double entry = encoded(ramps, rows.row(i))[2 + k];
        sum += entry;
        squares += entry * entry;
      }
      CHECK(std::abs(sum) < 1e-4);
      CHECK(squares == doctest::Approx(50).epsilon(1e-5));
    }
  }
}
