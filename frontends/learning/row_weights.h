#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontends/data/schema.h"
#include "frontends/data/table.h"

namespace wmi::frontends {

/// The numbers of a column, which must be above 0. Throws Error that names line and column.
std::vector<double> weights_in_column(const Table& table, const std::string& column);

/// The weight of each class: `balanced`, by which all classes together count alike, or
/// `red=2,blue=1`, where others count 1. `targets` are the numbers of the rows' classes. Throws
/// UsageError.
std::vector<double> class_weights(const std::string& text, const std::vector<std::string>& classes,
                                  std::span<const double> targets);

/// Scales weights of rows to mean 1.
void normalise_weights(std::vector<double>& weights);

}  // namespace wmi::frontends
