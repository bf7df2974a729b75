#include "bnn/data/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include "bnn/data/calibration.h"
#include "bnn/data/proportion.h"
#include "bnn/numeric/draw.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using Term = Metric::Term;
using Direction = Metric::Direction;

double mean(std::span<const Term> sums, double rows) { return sums[0].first / rows; }
double root_mean(std::span<const Term> sums, double rows) { return std::sqrt(mean(sums, rows)); }

/// The part of the outcomes that lies between two quantiles, and the distance between these.
template <std::size_t lower, std::size_t upper>
Term covered(const Forecast& forecast, double outcome) {
  const bool inside = forecast.quantiles[lower] <= outcome && outcome <= forecast.quantiles[upper];
  return {0, inside ? 1.0 : 0.0, 0};
}
template <std::size_t lower, std::size_t upper>
Term width(const Forecast& forecast, double) {
  return {0, forecast.quantiles[upper] - forecast.quantiles[lower], 0};
}

constexpr std::size_t q025 = 0, q05 = 1, q95 = 5, q975 = 6;
static_assert(quantile_levels[q025] == 0.025 && quantile_levels[q05] == 0.05 &&
              quantile_levels[q95] == 0.95 && quantile_levels[q975] == 0.975);

Term squared_error(const Forecast& forecast, double outcome) {
  return {0, (forecast.mean - outcome) * (forecast.mean - outcome), 0};
}

std::size_t class_of(double outcome) { return static_cast<std::size_t>(outcome); }

Term hit(const Forecast& forecast, double outcome) {
  return {0, likeliest(forecast) == class_of(outcome) ? 1.0 : 0.0, 0};
}
Term negative_log(const Forecast& forecast, double outcome) {
  return {0, -std::log(forecast.probabilities[class_of(outcome)]), 0};
}
Term brier(const Forecast& forecast, double outcome) {
  double sum = 0;
  for (std::size_t k = 0; k < forecast.probabilities.size(); ++k) {
    const double error = forecast.probabilities[k] - (k == class_of(outcome) ? 1 : 0);
    sum += error * error;
  }
  return {0, sum, 0};
}
Term confidence(const Forecast& forecast, double outcome) {
  const double probability = forecast.probabilities[likeliest(forecast)];
  return {confidence_bin(probability, confidence_bins), probability, hit(forecast, outcome).first};
}
double calibration_error(std::span<const Term> sums, double rows) {
  double result = 0;
  for (const Term& sum : sums) result += std::abs(sum.first - sum.second);
  return result / rows;
}

constexpr std::array table = {
    // Of numbers
    Metric{"log_likelihood", "log likelihood", "mean log density of the outcome, in nats", true,
           Direction::more, 0, 1,
           [](const Forecast& forecast, double) {
             return Term{0, forecast.log_density, 0};
           },
           mean},
    Metric{"rmse", "RMSE", "root of the mean squared error of the mean", true, Direction::less, 0,
           1, squared_error, root_mean},
    Metric{"crps", "CRPS", "continuous ranked probability score, in units of the outcome", true,
           Direction::less, 0, 1,
           [](const Forecast& forecast, double) {
             return Term{0, forecast.crps, 0};
           },
           mean},
    Metric{"coverage_90", "90 % coverage", "part of the outcomes inside their 90 % intervals", true,
           Direction::level, 0.9, 1, covered<q05, q95>, mean, true},
    Metric{"width_90", "90 % width", "mean width of the 90 % intervals", true, Direction::less, 0,
           1, width<q05, q95>, mean},
    Metric{"coverage_95", "95 % coverage", "part of the outcomes inside their 95 % intervals", true,
           Direction::level, 0.95, 1, covered<q025, q975>, mean, true},
    Metric{"width_95", "95 % width", "mean width of the 95 % intervals", true, Direction::less, 0,
           1, width<q025, q975>, mean},
    // Of classes
    Metric{"accuracy", "accuracy", "part of the outcomes that were the likeliest class", false,
           Direction::more, 0, 1, hit, mean, true},
    Metric{"nll", "NLL", "mean negative log probability of the class, in nats", false,
           Direction::less, 0, 1, negative_log, mean},
    Metric{"brier", "Brier score", "mean squared error of the probabilities, summed over classes",
           false, Direction::less, 0, 1, brier, mean},
    Metric{"ece", "ECE",
           "expected calibration error: confidence against accuracy, in 15 bins of confidence",
           false, Direction::less, 0, confidence_bins, confidence, calibration_error},
};

void check(const Metric& metric, std::span<const Forecast> forecasts,
           std::span<const double> outcomes) {
  if (forecasts.size() != outcomes.size())
    throw Error(std::to_string(forecasts.size()) + " forecasts for " +
                std::to_string(outcomes.size()) + " outcomes");
  if (forecasts.empty()) throw Error("there are no forecasts to score");
  if (metric.regression) return;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const double classes = static_cast<double>(forecasts[i].probabilities.size());
    if (!(outcomes[i] >= 0 && outcomes[i] < classes && outcomes[i] == std::floor(outcomes[i])))
      throw Error("row " + std::to_string(i) + ": no class " + std::to_string(outcomes[i]) +
                  " among " + std::to_string(forecasts[i].probabilities.size()) + " probabilities");
  }
}

std::vector<Term> terms(const Metric& metric, std::span<const Forecast> forecasts,
                        std::span<const double> outcomes) {
  check(metric, forecasts, outcomes);
  std::vector<Term> result;
  for (std::size_t i = 0; i < forecasts.size(); ++i)
    result.push_back(metric.term(forecasts[i], outcomes[i]));
  return result;
}

/// The score of the rows `row(0)`, `row(1)`, ..., as many as there are terms.
template <class Row>
double score_of(const Metric& metric, const std::vector<Term>& terms, const Row& row) {
  std::vector<Term> sums(metric.bins);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[row(i)];
    sums[term.bin].first += term.first;
    sums[term.bin].second += term.second;
  }
  return metric.score(sums, static_cast<double>(terms.size()));
}
double score_of(const Metric& metric, const std::vector<Term>& terms) {
  return score_of(metric, terms, [](std::size_t i) { return i; });
}

/// Of sorted values, between two of them in proportion.
double quantile(const std::vector<double>& sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(below);
  if (part == 0) return sorted[below];
  return (1 - part) * sorted[below] + part * sorted[below + 1];
}

/// What `statistic` gives for the rows as they are, and the middle part of what it gives for rows
/// drawn.
template <class Statistic>
Estimate resampled(std::size_t rows, const Bootstrap& bootstrap, const Statistic& statistic) {
  std::vector<std::size_t> drawn(rows);
  for (std::size_t i = 0; i < rows; ++i) drawn[i] = i;
  Estimate result;
  result.value = statistic(drawn);
  std::mt19937_64 random(bootstrap.seed);
  std::vector<double> values;
  for (std::size_t k = 0; k < bootstrap.replicates; ++k) {
    for (std::size_t& row : drawn) row = draw_below(random, rows);
    values.push_back(statistic(drawn));
  }
  // Infinite scores have no difference, and no order then.
  if (values.empty() || std::ranges::any_of(values, [](double v) { return std::isnan(v); }))
    return result;
  std::ranges::sort(values);
  result.lower = quantile(values, (1 - bootstrap.level) / 2);
  result.upper = quantile(values, (1 + bootstrap.level) / 2);
  return result;
}

}  // namespace

std::span<const Metric> metrics(bool regression) {
  static_assert(std::ranges::is_partitioned(table, &Metric::regression));
  const auto middle = std::ranges::find(table, false, &Metric::regression);
  return regression ? std::span<const Metric>(table.begin(), middle)
                    : std::span<const Metric>(middle, table.end());
}

const Metric& find_metric(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Metric::name);
  if (found != table.end()) return *found;
  std::string names;
  for (const Metric& metric : table)
    names += (names.empty() ? "" : ", ") + std::string(metric.name);
  throw Error("no metric '" + std::string(name) + "'; choose " + names);
}

double score(const Metric& metric, std::span<const Forecast> forecasts,
             std::span<const double> outcomes) {
  return score_of(metric, terms(metric, forecasts, outcomes));
}

Estimate estimate(const Metric& metric, std::span<const Forecast> forecasts,
                  std::span<const double> outcomes, const Bootstrap& bootstrap) {
  const std::vector<Term> rows = terms(metric, forecasts, outcomes);
  if (metric.proportion) {
    const double hits = std::accumulate(
        rows.begin(), rows.end(), 0.0, [](double sum, const Term& row) { return sum + row.first; });
    const auto [lower, upper] =
        proportion_interval(static_cast<std::size_t>(hits), rows.size(), bootstrap.level);
    return {score_of(metric, rows), lower, upper};
  }
  return resampled(rows.size(), bootstrap, [&](const std::vector<std::size_t>& drawn) {
    return score_of(metric, rows, [&](std::size_t i) { return drawn[i]; });
  });
}

Estimate paired_difference(const Metric& metric, std::span<const Forecast> first,
                           std::span<const Forecast> second, std::span<const double> outcomes,
                           const Bootstrap& bootstrap) {
  const std::vector<Term> ours = terms(metric, first, outcomes);
  const std::vector<Term> theirs = terms(metric, second, outcomes);
  return resampled(ours.size(), bootstrap, [&](const std::vector<std::size_t>& drawn) {
    const auto row = [&](std::size_t i) { return drawn[i]; };
    return score_of(metric, ours, row) - score_of(metric, theirs, row);
  });
}

Spread over_splits(std::span<const double> scores) {
  const auto count = static_cast<double>(scores.size());
  if (scores.empty()) throw Error("there are no scores to average");
  Spread result;
  for (const double score : scores) result.mean += score / count;
  double squares = 0;
  for (const double score : scores) squares += (score - result.mean) * (score - result.mean);
  result.standard_error = scores.size() == 1 ? std::numeric_limits<double>::quiet_NaN()
                                             : std::sqrt(squares / (count - 1) / count);
  return result;
}

}  // namespace wmi::bnn
