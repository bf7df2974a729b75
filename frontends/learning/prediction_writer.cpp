#include "frontends/learning/prediction_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontends/common/json_writer.h"
#include "frontends/data/csv_writer.h"
#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

/// Empty where it is unknown.
std::string plain(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::string lower(const Quantity& quantity) {
  if (!quantity.bounds) return plain(quantity.value);
  return decimal(quantity.bounds->lower, quantity.digits, Rounding::down);
}
std::string upper(const Quantity& quantity) {
  if (!quantity.bounds) return plain(quantity.value);
  return decimal(quantity.bounds->upper, quantity.digits, Rounding::up);
}

JsonText json_value(const Quantity& quantity) {
  if (quantity.name == "class") return quantity.text;
  if (!quantity.bounds) return quantity.value;
  return JsonObject()
      .add("exact", quantity.text.empty() ? JsonText(nullptr) : JsonText(quantity.text))
      .add("decimal", quantity.value)
      .add("lower", lower(quantity))
      .add("upper", upper(quantity));
}

std::vector<std::string> csv_columns(const std::vector<Quantity>& quantities) {
  std::vector<std::string> cells;
  for (const Quantity& quantity : quantities) cells.push_back(quantity.name);
  for (const Quantity& quantity : quantities)
    if (quantity.certified)
      cells.insert(cells.end(), {quantity.name + "_lower", quantity.name + "_upper"});
  return cells;
}

void add_csv_cells(const std::vector<Quantity>& quantities, std::vector<std::string>& cells) {
  for (const Quantity& quantity : quantities)
    cells.push_back(quantity.name == "class" ? quantity.text : plain(quantity.value));
  for (const Quantity& quantity : quantities)
    if (quantity.certified) cells.insert(cells.end(), {lower(quantity), upper(quantity)});
}

std::string text_lines(const std::vector<Quantity>& quantities) {
  std::string text;
  for (const Quantity& quantity : quantities) {
    std::string value;
    if (std::isnan(quantity.value)) continue;
    if (quantity.name == "class")
      value = quantity.text;
    else if (!quantity.bounds)
      value = fmt::format("{}", quantity.value);
    else if (!quantity.text.empty() && quantity.text.size() < 80)
      value = fmt::format("{} = {}", quantity.text, quantity.value);
    else if (quantity.bounds->exact())
      value = fmt::format("{} (exact)", quantity.value);
    else
      value = fmt::format("[{}, {}]", lower(quantity), upper(quantity));
    text += fmt::format("{:<12} {}\n", quantity.name, value);
  }
  return text;
}

}  // namespace

void PredictionWriter::add(std::size_t row, const Prediction& prediction,
                           std::span<const std::string> kept) {
  largest_error_ = std::max(largest_error_, prediction.estimated_error);
  switch (format_) {
    case Format::csv:
      add_csv_row(row, prediction, kept);
      return;
    case Format::json_lines: {
      JsonObject object;
      object.add("row", row);
      for (std::size_t i = 0; i < kept.size(); ++i) object.add(kept_[i], kept[i]);
      if (!prediction.error.empty()) object.add("error", prediction.error);
      for (const Quantity& quantity : prediction.quantities)
        object.add(quantity.name, json_value(quantity));
      if (prediction.error.empty())
        object.add("exactWithRespectTo",
                   JsonArray::of(assumptions_with(prediction.estimated_error)));
      text_ += object.text() + "\n";
      return;
    }
    case Format::text:
      text_ += text_lines(prediction.quantities);
      return;
  }
}

void PredictionWriter::add_csv_row(std::size_t row, const Prediction& prediction,
                                   std::span<const std::string> kept) {
  std::vector<std::string> cells{std::to_string(row)};
  cells.insert(cells.end(), kept.begin(), kept.end());
  if (!prediction.error.empty()) {
    errors_.emplace(ends_.size(), prediction.error);
  } else {
    if (columns_.empty()) columns_ = csv_columns(prediction.quantities);
    add_csv_cells(prediction.quantities, cells);
  }
  const std::string line = csv_line(cells, formulas_);
  text_.append(line, 0, line.size() - 1);
  ends_.push_back(text_.size());
}

std::string PredictionWriter::text() const {
  if (format_ != Format::csv || ends_.empty()) return text_;
  std::vector<std::string> header{"row"};
  header.insert(header.end(), kept_.begin(), kept_.end());
  header.insert(header.end(), columns_.begin(), columns_.end());
  if (!errors_.empty()) header.emplace_back("error");
  std::string result = csv_line(header, formulas_);
  result.reserve(result.size() + text_.size() + 2 * ends_.size());
  std::size_t from = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    result.append(text_, from, ends_[i] - from);
    from = ends_[i];
    if (const auto error = errors_.find(i); error != errors_.end())
      result += std::string(columns_.size() + 1, ',') + csv_cell(error->second);
    else if (!errors_.empty())
      result += ',';
    result += '\n';
  }
  return result;
}

std::string PredictionWriter::assumptions_line() const {
  return fmt::format("exact with respect to: {}",
                     fmt::join(assumptions_with(largest_error_), "; "));
}

std::vector<std::string> PredictionWriter::assumptions_with(double estimated_error) const {
  std::vector<std::string> result = assumptions_;
  if (estimated_error > 0)
    result.back() = fmt::format(
        "all: doubles, estimated error {:.1e} of probabilities (an estimate, not a bound)",
        estimated_error);
  return result;
}

}  // namespace wmi::frontends
