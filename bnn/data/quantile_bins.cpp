#include "bnn/data/quantile_bins.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace wmi::bnn {
namespace {

/// The distinct quantiles 0, 1/bins, ..., 1 of sorted values, as floats.
std::vector<float> quantiles(const std::vector<double>& sorted, std::size_t bins) {
  std::vector<float> result;
  for (std::size_t k = 0; k <= bins; ++k) {
    const double place = static_cast<double>(k * (sorted.size() - 1)) / static_cast<double>(bins);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double share = place - static_cast<double>(below);
    result.push_back(static_cast<float>((1 - share) * sorted[below] + share * sorted[above]));
  }
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

std::size_t distinct(const std::vector<double>& sorted) {
  std::size_t result = sorted.empty() ? 0 : 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) result += sorted[i] != sorted[i - 1] ? 1 : 0;
  return result;
}

/// Adds the ramp of a column between two points, standardised over its values.
void add_ramp(encoders::Ramps& ramps, std::size_t column, const std::vector<double>& values,
              float begin, float end) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    const double at = std::clamp((value - begin) / (double{end} - begin), 0.0, 1.0);
    sum += at;
    squares += at * at;
  }
  const auto count = static_cast<double>(values.size());
  const double mean = sum / count, variance = squares / count - mean * mean;
  if (!(variance > 0)) return;
  const double deviation = std::sqrt(variance);
  ramps.entries.push_back(column);
  ramps.begin.emplace_back(double{begin});
  ramps.end.emplace_back(double{end});
  ramps.low.emplace_back(double{static_cast<float>(-mean / deviation)});
  ramps.high.emplace_back(double{static_cast<float>((1 - mean) / deviation)});
}

}  // namespace

encoders::Ramps quantile_bins(const Matrix& inputs, std::size_t bins) {
  encoders::Ramps result;
  if (bins == 0 || inputs.rows() == 0) return result;
  for (std::size_t j = 0; j < inputs.columns; ++j) {
    std::vector<double> values;
    for (std::size_t i = 0; i < inputs.rows(); ++i) values.push_back(inputs.at(i, j));
    std::ranges::sort(values);
    if (distinct(values) <= 2) continue;
    const std::vector<float> points = quantiles(values, bins);
    for (std::size_t k = 1; k < points.size(); ++k)
      add_ramp(result, j, values, points[k - 1], points[k]);
  }
  return result;
}

}  // namespace wmi::bnn
