#include "frontends/learning/range_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "frontends/common/line.h"
#include "frontends/data/schema.h"

namespace wmi::frontends {

std::vector<std::string> range_warnings(const Run& run, const bnn::Dataset& training,
                                        const bnn::Matrix& inputs,
                                        const std::map<std::size_t, std::string>& errors) {
  std::vector<std::string> result;
  const std::size_t columns = inputs.columns;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> least(columns, infinity), most(columns, -infinity);
  for (std::size_t i = 0; i < training.rows(); ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      least[j] = std::min(least[j], training.inputs.at(i, j));
      most[j] = std::max(most[j], training.inputs.at(i, j));
    }
  // Inputs that are no column's own values, such as sines, have no range of their own.
  std::vector<const Feature*> own(columns, nullptr);
  std::size_t at = 0;
  for (const Feature& feature : run.schema.features) {
    if (feature.categories.empty()) own[at] = &feature;
    at += input_count(feature);
  }
  const auto text = [&](double value, std::size_t column) {
    const double found = bnn::own_units(value, column, run.standardisation);
    return own[column]->date ? date_text(found) : fmt::format("{:.6g}", found);
  };
  std::size_t outside = 0;
  for (std::size_t i = 0; i < inputs.rows(); ++i) {
    if (errors.contains(i)) continue;
    double farthest = 0;
    std::size_t column = 0;
    for (std::size_t j = 0; j < columns; ++j)
      if (const double beyond = std::max(least[j] - inputs.at(i, j), inputs.at(i, j) - most[j]);
          own[j] != nullptr && beyond > farthest) {
        farthest = beyond;
        column = j;
      }
    if (farthest > 0 && ++outside <= most_range_warnings)
      result.push_back(
          fmt::format("row {}: '{}' is {}, outside the training rows, {} to {}: an extrapolation",
                      i, one_line(own[column]->name), text(inputs.at(i, column), column),
                      text(least[column], column), text(most[column], column)));
  }
  if (outside > most_range_warnings)
    result.push_back(
        fmt::format("{} more rows lie outside the training rows", outside - most_range_warnings));
  return result;
}

}  // namespace wmi::frontends
