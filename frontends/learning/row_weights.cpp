#include "frontends/learning/row_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"

namespace wmi::frontends {
namespace {

/// Ratios beyond this are mistakes, and would overflow sums.
constexpr double least_weight = 1e-9;
constexpr double most_weight = 1e9;

bool is_weight(double value) { return value >= least_weight && value <= most_weight; }

std::vector<double> balanced(std::size_t classes, std::span<const double> targets) {
  std::vector<double> counts(classes);
  for (const double target : targets) ++counts[static_cast<std::size_t>(target)];
  std::vector<double> result;
  for (const double count : counts)
    result.push_back(static_cast<double>(targets.size()) /
                     (static_cast<double>(classes) * std::max(count, 1.0)));
  return result;
}

}  // namespace

std::vector<double> weights_in_column(const Table& table, const std::string& column) {
  const std::size_t index = column_index(table, column, ", which weighs the rows");
  std::vector<double> result;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::optional<double> value = cell_number(table.cell(i, index));
    if (!value || !is_weight(*value))
      fail_cell(table, i, index,
                fmt::format("'{}' is no weight: a number above 0, from {} to {}",
                            one_line(table.cell(i, index)), least_weight, most_weight));
    result.push_back(*value);
  }
  return result;
}

std::vector<double> class_weights(const std::string& text, const std::vector<std::string>& classes,
                                  std::span<const double> targets) {
  if (classes.empty())
    throw UsageError("--class-weights: are of classes, and the target has numbers");
  if (text == "balanced") return balanced(classes.size(), targets);
  std::vector<double> result(classes.size(), 1);
  std::vector<bool> given(classes.size());
  for (const std::string& item : comma_separated(text)) {
    const std::size_t sign = item.rfind('=');
    const auto found = std::ranges::find(classes, item.substr(0, sign));
    if (sign == std::string::npos || found == classes.end())
      throw UsageError(fmt::format(
          "--class-weights: '{}' is no class of the target with its weight, such as {}=2",
          one_line(item), one_line(classes.front())));
    const auto place = static_cast<std::size_t>(found - classes.begin());
    if (given[place])
      throw UsageError(
          fmt::format("--class-weights: the class '{}' is there twice", one_line(*found)));
    given[place] = true;
    const std::optional<double> value = cell_number(item.substr(sign + 1));
    if (!value || !is_weight(*value))
      throw UsageError(fmt::format("--class-weights: '{}' is no weight: a number from {} to {}",
                                   one_line(item.substr(sign + 1)), least_weight, most_weight));
    result[place] = *value;
  }
  return result;
}

void normalise_weights(std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight *= static_cast<double>(weights.size()) / sum;
}

}  // namespace wmi::frontends
