#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/numeric/matrix.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// The most rows that are warned of one by one.
inline constexpr std::size_t most_range_warnings = 5;

/// A line for each row (standardised inputs, rows counted from 0) with a column outside the range
/// of the training rows, where a network's answer is an extrapolation: the column that is farthest
/// out, its value and the range. Beyond `most_range_warnings` the rows are counted only. Rows with
/// an error of their own are left out.
std::vector<std::string> range_warnings(const Run& run, const bnn::Dataset& training,
                                        const bnn::Matrix& inputs,
                                        const std::map<std::size_t, std::string>& errors = {});

}  // namespace wmi::frontends
