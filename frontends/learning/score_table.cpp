#include "frontends/learning/score_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontends/common/json_writer.h"
#include "frontends/plots/plain_number.h"

namespace wmi::frontends {
namespace {

std::string cell(const bnn::Estimate& estimate, IntervalStyle style) {
  if (std::isnan(estimate.value)) return "-";
  const int places = std::min(3, decimal_places(std::max(1.0, std::abs(estimate.value)), 4));
  if (style == IntervalStyle::standard_error)
    return fmt::format("{:.{}f} +- {:.{}f}", estimate.value, places,
                       (estimate.upper - estimate.lower) / 2, places);
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", estimate.value, places, estimate.lower, places,
                     estimate.upper, places);
}

/// The first column to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> widths(cells[0].size());
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : cells) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<ScoreRow> score_rows(const std::vector<MethodForecasts>& methods,
                                 std::span<const double> outcomes, bool regression) {
  const auto average = std::ranges::find(methods, "average", &MethodForecasts::method);
  std::vector<ScoreRow> result;
  for (const MethodForecasts& method : methods) {
    ScoreRow row{method.method, {}, {}};
    for (const bnn::Metric& metric : bnn::metrics(regression))
      row.scores.push_back(bnn::estimate(metric, method.forecasts, outcomes));
    // The NLL is the negative of the log likelihood.
    row.difference = regression
                         ? bnn::paired_difference(bnn::find_metric("log_likelihood"),
                                                  method.forecasts, average->forecasts, outcomes)
                         : bnn::paired_difference(bnn::find_metric("nll"), average->forecasts,
                                                  method.forecasts, outcomes);
    result.push_back(std::move(row));
  }
  return result;
}

std::string score_table(const std::vector<ScoreRow>& rows, std::span<const bnn::Metric> metrics,
                        IntervalStyle style) {
  std::vector<std::vector<std::string>> cells{{"method"}};
  for (const bnn::Metric& metric : metrics) cells[0].emplace_back(metric.title);
  cells[0].insert(cells[0].begin() + 2, metrics[0].name == "log_likelihood"
                                            ? "minus average's"
                                            : "log likelihood minus average's");
  for (const ScoreRow& row : rows) {
    cells.push_back({row.method});
    for (const bnn::Estimate& score : row.scores) cells.back().push_back(cell(score, style));
    cells.back().insert(cells.back().begin() + 2, cell(row.difference, style));
  }
  return aligned(cells);
}

std::string score_json_lines(const std::vector<ScoreRow>& rows,
                             std::span<const bnn::Metric> metrics) {
  const auto json = [](const bnn::Estimate& estimate) {
    return JsonObject()
        .add("value", estimate.value)
        .add("lower", estimate.lower)
        .add("upper", estimate.upper);
  };
  std::string text;
  for (const ScoreRow& row : rows) {
    JsonObject object;
    object.add("method", row.method);
    for (std::size_t m = 0; m < metrics.size(); ++m)
      object.add(metrics[m].name, json(row.scores[m]));
    object.add("difference", json(row.difference));
    text += object.text() + "\n";
  }
  return text;
}

}  // namespace wmi::frontends
