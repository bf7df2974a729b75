#include "bnn/data/calibration.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/data/metrics.h"

using namespace wmi::bnn;

namespace {

std::vector<Forecast> with_cdf(const std::vector<double>& values) {
  std::vector<Forecast> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i].cdf = values[i];
  return result;
}

}  // namespace

TEST_CASE("a histogram counts each number once, 1 in the last bin") {
  CHECK(histogram(std::vector<double>{0, 0.1, 0.25, 0.5, 0.99, 1}, 4) ==
        std::vector<std::size_t>{2, 1, 1, 2});
}

TEST_CASE("a calibration curve says how often the outcome was below each quantile") {
  const auto curve = calibration_curve(with_cdf({0.9, 0.2, 0.5, 0.5}), 4);
  REQUIRE(curve.size() == 5);
  // At most 0, 1/4, 1/2, 3/4, 1:
  const double expected[] = {0, 0.25, 0.75, 0.75, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(curve[i].level == 0.25 * static_cast<double>(i));
    CHECK(curve[i].frequency == expected[i]);
  }
}

TEST_CASE("evenly spread forecasts are calibrated at every level") {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back((i + 0.5) / 100);
  for (const Calibration& point : calibration_curve(with_cdf(values), 20))
    CHECK(point.frequency == doctest::Approx(point.level));
  CHECK(histogram(values, 10) == std::vector<std::size_t>(10, 10));
}

TEST_CASE("the calibration error is the mean distance of confidence and accuracy") {
  std::vector<Forecast> forecasts(60);
  std::vector<double> outcomes;
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    const double p = 0.5 + 0.008 * static_cast<double>(i);
    forecasts[i].probabilities = i % 2 == 0 ? std::vector{p, 1 - p} : std::vector{1 - p, p};
    outcomes.push_back(i % 3 == 0 ? 0 : 1);
  }
  double expected = 0;
  std::size_t rows = 0;
  for (const Reliability& bin : reliability(forecasts, outcomes)) {
    expected += static_cast<double>(bin.rows) / 60 * std::abs(bin.confidence - bin.accuracy);
    rows += bin.rows;
  }
  CHECK(rows == 60);
  CHECK(score(find_metric("ece"), forecasts, outcomes) == doctest::Approx(expected));
}

TEST_CASE("the interval of a frequency comes from the binomial law") {
  // Of two coins 0, 1, 2 come true with probability 1/4, 1/2, 1/4.
  CHECK(chance(2, 0.5, 0.9).lower == 0);
  CHECK(chance(2, 0.5, 0.9).upper == 1);
  CHECK(chance(2, 0.5, 0.4).lower == 0.5);
  CHECK(chance(2, 0.5, 0.4).upper == 0.5);
  // Of many, the mean and 1.645 standard deviations on both sides.
  const Chance many = chance(10000, 0.3, 0.9);
  CHECK(many.lower == doctest::Approx(0.3 - 1.645 * std::sqrt(0.21 / 10000)).epsilon(1e-3));
  CHECK(many.upper == doctest::Approx(0.3 + 1.645 * std::sqrt(0.21 / 10000)).epsilon(1e-3));
  CHECK(chance(7, 1, 0.9).lower == 1);
  CHECK(chance(7, 0, 0.9).upper == 0);
  CHECK(chance(0, 0.5, 0.9).upper == 1);  // of no rows nothing is known
}

TEST_CASE("of equal probabilities the first class is the guess") {
  Forecast forecast;
  forecast.probabilities = {0.2, 0.4, 0.4};
  CHECK(likeliest(forecast) == 1);
}
