#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/dataset.h"

namespace wmi::frontends {

/// A data set with splits into training and test rows, as benchmark collections have them.
struct SplitData {
  bnn::Dataset rows;
  std::vector<std::vector<std::size_t>>
      tests;  // for each split its test rows, ascending; the others are for training
};

/// The training rows of a split, ascending.
std::vector<std::size_t> training_rows(const SplitData& data, std::size_t split);

/// Reads a directory with `data.txt`, rows of numbers separated by blanks; `index_features.txt` and
/// `index_target.txt`, column indices; and `index_test_0.txt` ..., row indices. Or one with
/// `data.csv`, the outcome last, and `test_mask.csv`, with a column for each split that is 1 in its
/// test rows. Files may be compressed (.gz). Throws Error, naming the file and the line.
SplitData read_split_directory(const std::string& directory);

/// Parses a text of rows of numbers; `what` names it in errors.
std::vector<std::vector<double>> parse_numbers(std::string_view text, const std::string& what);

}  // namespace wmi::frontends
