#include "bnn/data/calibration.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wmi::bnn {

std::vector<double> pit(std::span<const Forecast> forecasts) {
  std::vector<double> result;
  for (const Forecast& forecast : forecasts) result.push_back(forecast.cdf);
  return result;
}

std::size_t confidence_bin(double confidence, std::size_t bins) {
  assert(!std::isnan(confidence));
  const double place = std::clamp(confidence, 0.0, 1.0) * static_cast<double>(bins);
  return std::min(static_cast<std::size_t>(place), bins - 1);
}

std::vector<std::size_t> histogram(std::span<const double> numbers, std::size_t bins) {
  std::vector<std::size_t> result(bins);
  for (const double number : numbers) ++result[confidence_bin(number, bins)];
  return result;
}

std::vector<Calibration> calibration_curve(std::span<const Forecast> forecasts, std::size_t steps) {
  std::vector<double> sorted = pit(forecasts);
  std::ranges::sort(sorted);
  std::vector<Calibration> result;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double level = static_cast<double>(i) / static_cast<double>(steps);
    const auto below = std::ranges::upper_bound(sorted, level) - sorted.begin();
    result.push_back({level, forecasts.empty() ? level
                                               : static_cast<double>(below) /
                                                     static_cast<double>(sorted.size())});
  }
  return result;
}

Chance chance(std::size_t rows, double probability, double level) {
  if (rows == 0) return {0, 1};
  const double p = std::clamp(probability, 0.0, 1.0);
  if (p == 0 || p == 1) return {p, p};
  const auto n = static_cast<double>(rows);
  // The least number of rows that is not exceeded with this probability.
  const auto quantile = [&](double mass) {
    double sum = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      const auto hits = static_cast<double>(k);
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(hits + 1) - std::lgamma(n - hits + 1) +
                      hits * std::log(p) + (n - hits) * std::log1p(-p));
      if (sum >= mass) return hits / n;
    }
    return 1.0;
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

std::size_t likeliest(const Forecast& forecast) {
  return static_cast<std::size_t>(std::ranges::max_element(forecast.probabilities) -
                                  forecast.probabilities.begin());
}

std::vector<Reliability> reliability(std::span<const Forecast> forecasts,
                                     std::span<const double> outcomes, std::size_t bins) {
  assert(forecasts.size() == outcomes.size());
  std::vector<Reliability> result(bins);
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    const std::size_t guess = likeliest(forecasts[i]);
    const double confidence = forecasts[i].probabilities[guess];
    Reliability& bin = result[confidence_bin(confidence, bins)];
    ++bin.rows;
    bin.confidence += confidence;
    if (guess == static_cast<std::size_t>(outcomes[i])) bin.accuracy += 1;
  }
  for (Reliability& bin : result) {
    if (bin.rows == 0) continue;
    bin.confidence /= static_cast<double>(bin.rows);
    bin.accuracy /= static_cast<double>(bin.rows);
  }
  return result;
}

}  // namespace wmi::bnn
