#pragma once

#include <array>
#include <vector>

namespace wmi::bnn {

/// The levels of the quantiles of a forecast.
inline constexpr std::array quantile_levels{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975};

/// The predicted law of one outcome, in the outcome's own units, as the numbers that scores and
/// plots need.
struct Forecast {
  // Of a number:
  double mean = 0;
  double deviation = 0;
  std::array<double, quantile_levels.size()> quantiles{};
  // ... and, where the outcome is known:
  double log_density = 0;
  double cdf = 0;  // P(y <= outcome): uniform on [0, 1] when forecasts are calibrated
  double crps = 0;
  // Of a class: a probability each, of sum 1.
  std::vector<double> probabilities;
};

}  // namespace wmi::bnn
