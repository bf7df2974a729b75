#pragma once

#include <span>
#include <string>
#include <vector>

#include "bnn/data/forecast.h"
#include "frontends/plots/chart.h"

// Charts of forecasts and of a training.

namespace wmi::frontends {

/// The prediction of a method along one input, mean and 90 % band, and its training rows.
struct BandPanel {
  std::string title;
  std::vector<double> x, mean, lower, upper;
  std::vector<double> data_x, data_y;
};
/// One panel for each method, on the same scale.
///
///     const BandPanel collapsed{"collapsed", {0, 1}, {0, 2}, {-1, 1}, {1, 3}, {0}, {0.1}};
///     to_svg(bands("a cubic with a gap", {collapsed}));
Chart bands(const std::string& title, const std::vector<BandPanel>& panels,
            const std::string& across = "x", const std::string& up = "y");

/// For numbers: how often outcomes lay below each quantile, with the band in which 9 of 10
/// calibrated forecasts of as many rows would lie.
Chart calibration_picture(std::span<const bnn::Forecast> forecasts);

/// For numbers: the histogram of P(y <= outcome), with the same band.
Chart pit_picture(std::span<const bnn::Forecast> forecasts);

/// For classes: accuracy against confidence, a dot for each bin of confidence, with the same band.
Chart reliability_picture(std::span<const bnn::Forecast> forecasts,
                          std::span<const double> outcomes);

/// For numbers: means and 90 % intervals against outcomes; evenly chosen rows if there are many.
/// Outcomes of few different values are spread out sideways.
Chart prediction_picture(std::span<const bnn::Forecast> forecasts, std::span<const double> outcomes,
                         const std::string& target);

/// Whether that picture has intervals: of many rows it has means only.
bool draws_intervals(std::size_t rows);

/// The loss over the epochs of a training, on training rows or on validation rows.
struct LossCurve {
  std::string name;
  bool validation = false;
  std::vector<double> epochs = {};
  std::vector<double> values = {};
};
/// One colour for each name, or one for all if there are many; validation losses are dashed, with a
/// dot at the least. If the first epochs are far above the rest, the axis is cut off there.
Chart loss_picture(const std::vector<LossCurve>& curves);

}  // namespace wmi::frontends
