#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bnn/data/forecast.h"

namespace wmi::bnn {

/// P(y <= outcome) for each row (probability integral transform): uniform on [0, 1] when the
/// forecasts are calibrated.
std::vector<double> pit(std::span<const Forecast> forecasts);

/// How many of these numbers of [0, 1] lie in each of so many equal bins, the last one closed.
std::vector<std::size_t> histogram(std::span<const double> numbers, std::size_t bins);

/// How often the outcome was at most the forecast's quantile of a level: the same number when the
/// forecasts are calibrated.
struct Calibration {
  double level;
  double frequency;
};
/// At the levels i / steps, i = 0 ... steps.
std::vector<Calibration> calibration_curve(std::span<const Forecast> forecasts, std::size_t steps);

/// The interval in which the observed frequency of an event of this probability, over so many rows,
/// lies with probability `level`: quantiles of the binomial law.
struct Chance {
  double lower;
  double upper;
};
Chance chance(std::size_t rows, double probability, double level);

/// The class with the largest probability; the first of equal ones.
std::size_t likeliest(const Forecast& forecast);

/// The bins of confidence of the expected calibration error.
inline constexpr std::size_t confidence_bins = 15;
std::size_t confidence_bin(double confidence, std::size_t bins);

/// The rows whose likeliest class has a probability in one bin: how likely it was, on average, and
/// how often it came true.
struct Reliability {
  std::size_t rows = 0;
  double confidence = 0;
  double accuracy = 0;
};
/// A line for each of so many equal bins of [0, 1]; zeros where no row falls.
std::vector<Reliability> reliability(std::span<const Forecast> forecasts,
                                     std::span<const double> outcomes,
                                     std::size_t bins = confidence_bins);

}  // namespace wmi::bnn
