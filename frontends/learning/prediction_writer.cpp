#include "frontends/learning/prediction_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontends/common/json_writer.h"
#include "frontends/data/csv_writer.h"
#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

std::string lower(const Quantity& quantity) {
  return decimal(quantity.bounds->lower, quantity.digits, Rounding::down);
}
std::string upper(const Quantity& quantity) {
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

std::string json_line(std::size_t row, const std::vector<Quantity>& quantities,
                      const std::vector<std::string>& assumptions) {
  JsonObject object;
  object.add("row", row);
  for (const Quantity& quantity : quantities) object.add(quantity.name, json_value(quantity));
  object.add("exactWithRespectTo", JsonArray::of(assumptions));
  return object.text() + "\n";
}

std::string csv_header(const std::vector<Quantity>& quantities) {
  std::vector<std::string> cells{"row"};
  for (const Quantity& quantity : quantities) {
    cells.push_back(quantity.name);
    if (quantity.bounds)
      for (const char* const end : {"_lower", "_upper"}) cells.push_back(quantity.name + end);
  }
  return csv_line(cells);
}

std::string csv_row(std::size_t row, const std::vector<Quantity>& quantities) {
  std::vector<std::string> cells{std::to_string(row)};
  for (const Quantity& quantity : quantities) {
    cells.push_back(quantity.name == "class" ? quantity.text : fmt::format("{}", quantity.value));
    if (quantity.bounds) cells.insert(cells.end(), {lower(quantity), upper(quantity)});
  }
  return csv_line(cells);
}

std::string text_lines(const std::vector<Quantity>& quantities) {
  std::string text;
  for (const Quantity& quantity : quantities) {
    std::string value;
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

void PredictionWriter::add(std::size_t row, const Prediction& prediction) {
  largest_error_ = std::max(largest_error_, prediction.estimated_error);
  switch (format_) {
    case Format::csv:
      if (text_.empty()) text_ += csv_header(prediction.quantities);
      text_ += csv_row(row, prediction.quantities);
      return;
    case Format::json_lines:
      text_ += json_line(row, prediction.quantities, assumptions_with(prediction.estimated_error));
      return;
    case Format::text:
      text_ += text_lines(prediction.quantities);
      return;
  }
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
