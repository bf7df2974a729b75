#pragma once

#include <span>
#include <string>
#include <vector>

#include "bnn/data/forecast.h"
#include "frontends/plots/chart.h"

// The pictures of a run and its forecasts.

namespace wmi::frontends {

/// What a method says along one input: mean and 90 % band, and the rows it has seen.
struct BandPanel {
  std::string title;
  std::vector<double> x, mean, lower, upper;
  std::vector<double> data_x, data_y;
};
/// One panel for each method, on the same scale.
///
///     save("demo.svg", to_svg(bands("a cubic with a gap", {collapsed, monte_carlo, reference})));
Chart bands(const std::string& title, const std::vector<BandPanel>& panels,
            const std::string& across = "x", const std::string& up = "y");

/// Of numbers: how often outcomes lay below each quantile, with what chance does to as many
/// calibrated forecasts in 9 of 10 cases.
Chart calibration_picture(std::span<const bnn::Forecast> forecasts);

/// Of numbers: where outcomes lay in their forecasts, P(y <= outcome); likewise.
Chart pit_picture(std::span<const bnn::Forecast> forecasts);

/// Of classes: confidence against accuracy, a dot for each bin of confidence; likewise.
Chart reliability_picture(std::span<const bnn::Forecast> forecasts,
                          std::span<const double> outcomes);

/// Of numbers: means and 90 % intervals against outcomes. Of many rows, some, evenly taken.
Chart prediction_picture(std::span<const bnn::Forecast> forecasts, std::span<const double> outcomes,
                         const std::string& target);

/// A loss over the epochs of a training, on the rows it sees or on those kept back.
struct LossCurve {
  std::string name;
  bool validation = false;
  std::vector<double> epochs = {};
  std::vector<double> values = {};
};
/// A colour for each name, one for all when there are many; validation is dashed. Where the first
/// epochs are far above the rest, the rest fills the picture.
Chart loss_picture(const std::vector<LossCurve>& curves);

}  // namespace wmi::frontends
