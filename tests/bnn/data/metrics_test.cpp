#include "bnn/data/metrics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "bnn/data/calibration.h"
#include "solver/terms/error.h"

using namespace wmi::bnn;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of a number: a mean, and the interval from mean - 1 to mean + 1 of 90 %, twice that of 95 %.
Forecast number(double mean) {
  Forecast forecast;
  forecast.mean = mean;
  forecast.quantiles = {mean - 2, mean - 1, mean - 0.5, mean, mean + 0.5, mean + 1, mean + 2};
  return forecast;
}

Forecast classes(std::vector<double> probabilities) {
  Forecast forecast;
  forecast.probabilities = std::move(probabilities);
  return forecast;
}

double score(std::string_view name, const std::vector<Forecast>& forecasts,
             const std::vector<double>& outcomes) {
  return wmi::bnn::score(find_metric(name), forecasts, outcomes);
}

}  // namespace

TEST_CASE("scores of numbers are those computed by hand") {
  std::vector<Forecast> forecasts{number(0), number(2), number(4), number(6)};
  const std::vector<double> outcomes{1, 2, 2, 9};
  forecasts[0].log_density = -1;
  forecasts[1].log_density = -2;
  forecasts[2].log_density = 0.5;
  forecasts[3].log_density = -3.5;
  forecasts[0].crps = 1;
  forecasts[3].crps = 3;
  CHECK(score("log_likelihood", forecasts, outcomes) == -1.5);
  CHECK(score("rmse", forecasts, outcomes) == std::sqrt((1 + 0 + 4 + 9) / 4.0));
  CHECK(score("crps", forecasts, outcomes) == 1);
  // Off by 1, 0, 2 and 3; an end belongs to its interval.
  CHECK(score("coverage_90", forecasts, outcomes) == 0.5);
  CHECK(score("coverage_95", forecasts, outcomes) == 0.75);
  CHECK(score("width_90", forecasts, outcomes) == 2);
  CHECK(score("width_95", forecasts, outcomes) == 4);
}

TEST_CASE("scores of classes are those computed by hand") {
  const std::vector<Forecast> forecasts{classes({0.5, 0.25, 0.25}), classes({0.125, 0.75, 0.125}),
                                        classes({0.25, 0.25, 0.5})};
  const std::vector<double> outcomes{0, 2, 2};
  CHECK(score("accuracy", forecasts, outcomes) == doctest::Approx(2.0 / 3));
  CHECK(score("nll", forecasts, outcomes) == doctest::Approx(5 * std::log(2.0) / 3));
  // 1/4 + 1/16 + 1/16 = 3/8 twice; 1/64 + 9/16 + 49/64 = 86/64 once
  CHECK(score("brier", forecasts, outcomes) == doctest::Approx((0.375 * 2 + 86.0 / 64) / 3));
  // Two rows of confidence 1/2, both right; one of 3/4, wrong: |1 - 2| + |3/4 - 0|, over 3
  CHECK(score("ece", forecasts, outcomes) == doctest::Approx(1.75 / 3));
}

TEST_CASE("on random forecasts every score is what its definition says") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Forecast> numbers, words;
  std::vector<double> values, labels;
  const std::size_t n = 200;
  for (std::size_t i = 0; i < n; ++i) {
    numbers.push_back(number(3 * uniform(random)));
    numbers.back().log_density = -uniform(random);
    numbers.back().crps = uniform(random);
    values.push_back(3 * uniform(random));
    std::vector<double> p{uniform(random), uniform(random), uniform(random), uniform(random)};
    const double sum = p[0] + p[1] + p[2] + p[3];
    for (double& x : p) x /= sum;
    words.push_back(classes(p));
    labels.push_back(std::floor(4 * uniform(random)));
  }
  double log_likelihood = 0, squares = 0, crps = 0, in90 = 0, in95 = 0;
  double right = 0, nll = 0, brier = 0;
  for (std::size_t i = 0; i < n; ++i) {
    log_likelihood += numbers[i].log_density / n;
    squares += std::pow(numbers[i].mean - values[i], 2) / n;
    crps += numbers[i].crps / n;
    in90 += std::abs(numbers[i].mean - values[i]) <= 1 ? 1.0 / n : 0;
    in95 += std::abs(numbers[i].mean - values[i]) <= 2 ? 1.0 / n : 0;
    const std::vector<double>& p = words[i].probabilities;
    const auto label = static_cast<std::size_t>(labels[i]);
    bool best = true;
    double norm = 0;
    for (const double x : p) {
      best = best && x <= p[label];
      norm += x * x;
    }
    right += best ? 1.0 / n : 0;
    nll -= std::log(p[label]) / n;
    brier += (norm - 2 * p[label] + 1) / n;  // |p|^2 - 2 p_y + 1
  }
  // The calibration error from pairs of borders of confidence, as it is usually written.
  double ece = 0;
  for (int m = 0; m < 15; ++m) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double top = 0;
      for (const double x : words[i].probabilities) top = std::max(top, x);
      if (15 * top < m || 15 * top >= m + 1) continue;
      sum += top - (words[i].probabilities[static_cast<std::size_t>(labels[i])] == top ? 1 : 0);
    }
    ece += std::abs(sum) / n;
  }
  CHECK(score("log_likelihood", numbers, values) == doctest::Approx(log_likelihood));
  CHECK(score("rmse", numbers, values) == doctest::Approx(std::sqrt(squares)));
  CHECK(score("crps", numbers, values) == doctest::Approx(crps));
  CHECK(score("coverage_90", numbers, values) == doctest::Approx(in90));
  CHECK(score("coverage_95", numbers, values) == doctest::Approx(in95));
  CHECK(score("accuracy", words, labels) == doctest::Approx(right));
  CHECK(score("nll", words, labels) == doctest::Approx(nll));
  CHECK(score("brier", words, labels) == doctest::Approx(brier));
  CHECK(score("ece", words, labels) == doctest::Approx(ece));
  CHECK(ece > 0.05);
}

TEST_CASE("proportions have exact intervals, also where all rows are hits") {
  // 20 of 20: p^20 = 0.025 at the lower end.
  const std::vector<Forecast> forecasts(20, number(0));
  const Estimate found = estimate(find_metric("coverage_90"), forecasts, std::vector<double>(20));
  CHECK(found.value == 1);
  CHECK(found.lower == doctest::Approx(std::pow(0.025, 0.05)));
  CHECK(found.upper == 1);
}

TEST_CASE("the bootstrap of two rows draws each pair equally often") {
  // Means of 0 and 1 drawn twice: 0, 1/2, 1 with probability 1/4, 1/2, 1/4.
  const std::vector<Forecast> forecasts{number(0), number(0)};
  const std::vector<double> outcomes{0, 5};
  Metric coverage = find_metric("coverage_90");
  coverage.proportion = false;
  const Estimate wide = estimate(coverage, forecasts, outcomes, {4000, 0.95, 1});
  CHECK(wide.value == 0.5);
  CHECK(wide.lower == 0);
  CHECK(wide.upper == 1);
  const Estimate narrow = estimate(coverage, forecasts, outcomes, {4000, 0.4, 1});
  CHECK(narrow.lower == 0.5);
  CHECK(narrow.upper == 0.5);
  // The lower end moves at 1/4 of the mass: level 1/2.
  CHECK(estimate(coverage, forecasts, outcomes, {4000, 0.55, 1}).lower == 0);
  CHECK(estimate(coverage, forecasts, outcomes, {4000, 0.45, 1}).lower == 0.5);
}

TEST_CASE("the bootstrap of a mean is as wide as its standard error says") {
  std::mt19937_64 random(3);
  std::vector<Forecast> forecasts;
  const std::vector<double> outcomes(400, 0.0);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    forecasts.push_back(number(0));
    const auto x = static_cast<double>(random() % 1000);
    forecasts.back().log_density = x;
    sum += x;
    squares += x * x;
  }
  const double mean = sum / 400, error = std::sqrt((squares / 400 - mean * mean) / 400);
  const Estimate found = estimate(find_metric("log_likelihood"), forecasts, outcomes);
  CHECK(found.value == doctest::Approx(mean));
  CHECK((found.upper - found.lower) / (2 * 1.96 * error) == doctest::Approx(1).epsilon(0.1));
  CHECK((found.upper + found.lower) / 2 == doctest::Approx(mean).epsilon(0.01));
}

TEST_CASE("an interval is the same for the same seed, and another for another") {
  std::vector<Forecast> forecasts;
  std::vector<double> outcomes;
  for (int i = 0; i < 30; ++i) {
    forecasts.push_back(number(i * i % 17));
    outcomes.push_back(i % 5);
  }
  const Metric& rmse = find_metric("rmse");
  const Estimate one = estimate(rmse, forecasts, outcomes, {100, 0.95, 5});
  const Estimate again = estimate(rmse, forecasts, outcomes, {100, 0.95, 5});
  const Estimate other = estimate(rmse, forecasts, outcomes, {100, 0.95, 6});
  CHECK(one.lower == again.lower);
  CHECK(one.upper == again.upper);
  CHECK(one.lower != other.lower);
  CHECK(one.lower < one.value);
  CHECK(one.value < one.upper);
}

TEST_CASE("a paired difference cancels the difficulty of rows") {
  std::vector<Forecast> first, second;
  const std::vector<double> outcomes(50, 0.0);
  for (int i = 0; i < 50; ++i) {
    first.push_back(number(0));
    first.back().log_density = -(i * i) % 32;
    second.push_back(first.back());
    second.back().log_density -= 0.25;
  }
  const Metric& metric = find_metric("log_likelihood");
  const Estimate found = paired_difference(metric, first, second, outcomes);
  CHECK(found.value == 0.25);
  CHECK(found.lower == 0.25);
  CHECK(found.upper == 0.25);
  CHECK(estimate(metric, first, outcomes).upper - estimate(metric, first, outcomes).lower > 1);
}

TEST_CASE("an infinite loss is reported, and its difference has no interval") {
  std::vector<Forecast> forecasts{number(0), number(0), number(0)};
  forecasts[1].log_density = -infinity;
  const std::vector<double> outcomes(3, 0.0);
  const Metric& metric = find_metric("log_likelihood");
  const Estimate alone = estimate(metric, forecasts, outcomes);
  CHECK(alone.value == -infinity);
  CHECK(alone.lower == -infinity);
  CHECK(alone.upper == 0);  // (2/3)^3 of the draws miss the row
  const Estimate difference = paired_difference(metric, forecasts, forecasts, outcomes);
  CHECK(std::isnan(difference.value));
  CHECK(std::isnan(difference.lower));
}

TEST_CASE("over splits there are a mean and its standard error") {
  const std::vector<double> scores{1, 2, 6};  // mean 3, variance (4 + 1 + 9) / 2 = 7
  CHECK(over_splits(scores).mean == doctest::Approx(3));
  CHECK(over_splits(scores).standard_error == doctest::Approx(std::sqrt(7.0 / 3)));
  CHECK(std::isnan(over_splits(std::vector<double>{4}).standard_error));
  CHECK_THROWS_AS(over_splits(std::vector<double>{}), wmi::Error);
}

TEST_CASE("outcomes that cannot be scored are refused") {
  CHECK_THROWS_WITH(score("rmse", {number(0)}, {1, 2}), "1 forecasts for 2 outcomes");
  CHECK_THROWS_WITH(score("rmse", {}, {}), "there are no forecasts to score");
  CHECK_THROWS_AS(score("nll", {classes({0.5, 0.5})}, {2}), wmi::Error);
  CHECK_THROWS_AS(score("nll", {classes({0.5, 0.5})}, {0.5}), wmi::Error);
  CHECK_THROWS_AS(score("nll", {classes({0.5, 0.5})}, {-1}), wmi::Error);
  CHECK_THROWS_AS(find_metric("rms"), wmi::Error);
}

TEST_CASE("every metric is found by its name, among those of its task") {
  for (const bool regression : {true, false}) {
    CHECK(metrics(regression).size() >= 4);
    for (const Metric& metric : metrics(regression)) {
      CHECK(metric.regression == regression);
      CHECK(&find_metric(metric.name) == &metric);
    }
  }
}
