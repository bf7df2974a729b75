#include "frontends/learning/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "bnn/data/calibration.h"

namespace wmi::frontends {
namespace {

using Kind = Mark::Kind;

constexpr double chance_level = 0.9;
constexpr std::size_t most_whiskers = 200, most_dots = 2000;

constexpr std::size_t q05 = 1, q95 = 5;
static_assert(bnn::quantile_levels[q05] == 0.05 && bnn::quantile_levels[q95] == 0.95);

const std::string chance_label = "90 % by chance";

Mark diagonal(double from, double to, const std::string& label) {
  return {Kind::dashes, Hue::grey, label, {from, to}, {from, to}};
}

/// Half the least distance of two different outcomes, if there are many rows for each of few; else 0.
double room_between(std::span<const double> outcomes) {
  constexpr std::size_t most_values = 20, least_rows = 5;
  std::vector<double> values(outcomes.begin(), outcomes.end());
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  if (values.size() < 2 || values.size() > most_values ||
      outcomes.size() < least_rows * values.size())
    return 0;
  double least = values.back() - values.front();
  for (std::size_t i = 1; i < values.size(); ++i)
    least = std::min(least, values[i] - values[i - 1]);
  return least / 2;
}

}  // namespace

bool draws_intervals(std::size_t rows) { return rows <= most_whiskers; }

Chart bands(const std::string& title, const std::vector<BandPanel>& panels,
            const std::string& across, const std::string& up) {
  Chart chart{.title = title, .panels = {}, .same_scale = true};
  if (panels.size() > 1) {
    chart.width = 340;
    chart.height = 330;
  }
  for (const BandPanel& each : panels)
    chart.panels.push_back(
        {.title = each.title,
         .across = across,
         .up = up,
         .marks = {{Kind::band, Hue::blue, "90 % band", each.x, each.lower, each.upper},
                   {Kind::line, Hue::blue, "mean", each.x, each.mean},
                   {Kind::dots, Hue::orange, "data", each.data_x, each.data_y}}});
  // The band reaches the edges.
  if (!panels.empty() && !panels[0].x.empty())
    chart.panels[0].x = Range{panels[0].x.front(), panels[0].x.back()};
  return chart;
}

Chart calibration_picture(std::span<const bnn::Forecast> forecasts) {
  constexpr std::size_t steps = 50;
  Mark chance{Kind::band, Hue::grey, chance_label};
  Mark curve{Kind::line, Hue::blue, "these forecasts"};
  for (const bnn::Calibration& point : bnn::calibration_curve(forecasts, steps)) {
    const bnn::Chance chances = bnn::chance(forecasts.size(), point.level, chance_level);
    chance.x.push_back(point.level);
    chance.y.push_back(chances.lower);
    chance.upper.push_back(chances.upper);
    curve.x.push_back(point.level);
    curve.y.push_back(point.frequency);
  }
  return {.title = "Calibration",
          .panels = {{.across = "level of the quantile",
                      .up = "part of the outcomes below it",
                      .marks = {chance, diagonal(0, 1, "calibrated"), curve},
                      .x = Range{0, 1},
                      .y = Range{0, 1}}}};
}

Chart pit_picture(std::span<const bnn::Forecast> forecasts) {
  const std::size_t rows = forecasts.size();
  const std::size_t bins = std::clamp<std::size_t>(rows / 10, 5, 20);
  const auto count = static_cast<double>(bins);
  const bnn::Chance chances = bnn::chance(rows, 1 / count, chance_level);
  const auto height = [&](double part) { return part * count; };  // calibrated: 1
  Mark bars{Kind::bars, Hue::blue, "these forecasts"};
  const std::vector<std::size_t> counts = bnn::histogram(bnn::pit(forecasts), bins);
  for (std::size_t i = 0; i <= bins; ++i) bars.x.push_back(static_cast<double>(i) / count);
  for (const std::size_t each : counts)
    bars.y.push_back(rows == 0 ? 0 : height(static_cast<double>(each) / static_cast<double>(rows)));
  const Mark chance{Kind::band,
                    Hue::grey,
                    chance_label,
                    {0, 1},
                    {height(chances.lower), height(chances.lower)},
                    {height(chances.upper), height(chances.upper)}};
  return {
      .title = "Where outcomes lay in their forecasts",
      .panels = {{.across = "P(y \u2264 outcome)",
                  .up = "density",
                  .marks = {bars, chance, {Kind::dashes, Hue::grey, "calibrated", {0, 1}, {1, 1}}},
                  .x = Range{0, 1}}}};
}

Chart reliability_picture(std::span<const bnn::Forecast> forecasts,
                          std::span<const double> outcomes) {
  Mark chance{Kind::whiskers, Hue::grey, chance_label};
  Mark dots{Kind::dots, Hue::blue, "these forecasts"};
  Mark line{Kind::line, Hue::blue};
  double least = 1;
  for (const bnn::Reliability& bin : bnn::reliability(forecasts, outcomes)) {
    if (bin.rows == 0) continue;
    const bnn::Chance chances = bnn::chance(bin.rows, bin.confidence, chance_level);
    chance.x.push_back(bin.confidence);
    chance.y.push_back(chances.lower);
    chance.upper.push_back(chances.upper);
    for (Mark* const mark : {&dots, &line}) {
      mark->x.push_back(bin.confidence);
      mark->y.push_back(bin.accuracy);
    }
    least = std::min(least, bin.confidence);
  }
  const double from = std::max(0.0, std::floor(least * 10 - 0.5) / 10);
  return {.title = "Reliability",
          .panels = {{.across = "probability of the likeliest class",
                      .up = "how often it came true",
                      .marks = {diagonal(0, 1, "calibrated"), chance, line, dots},
                      .x = Range{from, 1.01},
                      .y = Range{0, 1.02}}}};
}

Chart prediction_picture(std::span<const bnn::Forecast> forecasts, std::span<const double> outcomes,
                         const std::string& target) {
  const std::size_t rows = std::min(forecasts.size(), outcomes.size());
  const std::size_t shown = std::min(rows, most_dots);
  const bool intervals = draws_intervals(rows);
  const double room = room_between(outcomes);
  Mark whiskers{Kind::whiskers, Hue::blue, intervals ? "90 % interval" : ""};
  Mark dots{Kind::dots, Hue::blue, "mean"};
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t row = i * rows / shown;
    const bnn::Forecast& forecast = forecasts[row];
    // Evenly and without chance: multiples of the golden ratio.
    const double turn = static_cast<double>(i) * std::numbers::phi;
    const double across = outcomes[row] + 1.4 * room * (turn - std::floor(turn) - 0.5);
    dots.x.push_back(across);
    dots.y.push_back(forecast.mean);
    if (intervals) {
      whiskers.x.push_back(across);
      whiskers.y.push_back(forecast.quantiles[q05]);
      whiskers.upper.push_back(forecast.quantiles[q95]);
    }
    least = std::min({least, outcomes[row], forecast.mean});
    most = std::max({most, outcomes[row], forecast.mean});
  }
  std::vector<Mark> marks{diagonal(least, most, "equal"), whiskers, dots};
  return {.title = "Predicted and observed",
          .panels = {{.across = "observed " + target + (room > 0 ? ", spread out sideways" : ""),
                      .up = shown < rows
                                ? fmt::format("predicted {} ({} of {} rows)", target, shown, rows)
                                : "predicted " + target,
                      .marks = marks}}};
}

Chart loss_picture(const std::vector<LossCurve>& curves) {
  constexpr std::array colours{Hue::blue, Hue::orange, Hue::green};
  std::vector<std::string> names;
  for (const LossCurve& curve : curves)
    if (std::ranges::find(names, curve.name) == names.end()) names.push_back(curve.name);
  const bool many = names.size() > colours.size();
  Panel panel{.across = "epoch", .up = "loss"};
  std::vector<double> values;
  for (const LossCurve& curve : curves) {
    const auto index =
        static_cast<std::size_t>(std::ranges::find(names, curve.name) - names.begin());
    const std::string name = many ? fmt::format("all {}", names.size()) : curve.name;
    panel.marks.push_back({curve.validation ? Kind::dashes : Kind::line,
                           many ? colours[curve.validation ? 1 : 0] : colours[index],
                           curve.validation ? name + ", validation" : name, curve.epochs,
                           curve.values});
    for (const double value : curve.values)
      if (std::isfinite(value)) values.push_back(value);
  }
  const std::size_t drawn = panel.marks.size();
  for (std::size_t i = 0; i < drawn; ++i) {
    if (!curves[i].validation || curves[i].values.empty()) continue;
    const auto least = std::ranges::min_element(curves[i].values, [](double a, double b) {
      return a < b || (std::isnan(b) && !std::isnan(a));
    });
    const double epoch =
        curves[i].epochs[static_cast<std::size_t>(least - curves[i].values.begin())];
    panel.marks.push_back({Kind::dots,
                           panel.marks[i].hue,
                           many ? "least validation loss of each"
                                : fmt::format("least validation loss, epoch {}", epoch),
                           {epoch},
                           {*least}});
  }
  if (values.size() >= 20) {
    std::ranges::sort(values);
    const double least = values.front(), high = values[values.size() * 97 / 100];
    const double room = (high - least) / 10;
    if (values.back() > high + 10 * room) {
      panel.y = Range{least - room, high + 2 * room};
      panel.up += ", the highest cut off";
    }
  }
  return {.title = "Losses of the training", .panels = {panel}};
}

}  // namespace wmi::frontends
