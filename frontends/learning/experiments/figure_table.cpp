#include "frontends/learning/experiments/figure_table.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>

#include "frontends/data/csv_writer.h"

namespace wmi::frontends {

void FigureTable::add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string FigureTable::markdown() const {
  std::string text = "| " + fmt::format("{}", fmt::join(columns_, " | ")) + " |\n|";
  for (std::size_t i = 0; i < columns_.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : rows_) text += "| " + fmt::format("{}", fmt::join(row, " | ")) + " |\n";
  return text;
}

std::string FigureTable::csv() const {
  // The cells are our own: `-0.1 +- 0.2` is a figure and its error, and no formula.
  std::string text = csv_line(columns_, CsvFormulas::kept);
  for (const auto& row : rows_) text += csv_line(row, CsvFormulas::kept);
  return text;
}

std::string figure(double value, int places) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, places) : "-";
}

std::string with_interval(const bnn::Estimate& estimate, int places) {
  return fmt::format("{} [{}, {}]", figure(estimate.value, places), figure(estimate.lower, places),
                     figure(estimate.upper, places));
}

Summary summary(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  Summary result;
  for (const double value : values) result.mean += value / count;
  for (const double value : values)
    result.deviation += (value - result.mean) * (value - result.mean);
  result.deviation = values.size() > 1 ? std::sqrt(result.deviation / (count - 1))
                                       : std::numeric_limits<double>::quiet_NaN();
  result.error = result.deviation / std::sqrt(count);
  return result;
}

namespace {

std::string with(double mean, double spread, int places) {
  return figure(mean, places) + (std::isfinite(spread) ? " +- " + figure(spread, places) : "");
}

}  // namespace

std::string with_error(const Summary& summary, int places) {
  return with(summary.mean, summary.error, places);
}

std::string with_deviation(const Summary& summary, int places) {
  return with(summary.mean, summary.deviation, places);
}

}  // namespace wmi::frontends
