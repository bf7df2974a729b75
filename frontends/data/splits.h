#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/dataset.h"

namespace wmi::frontends {

/// A data set with its splits into training and test rows, as benchmark collections keep them.
struct SplitData {
  bnn::Dataset rows;
  std::vector<std::vector<std::size_t>>
      tests;  // row numbers, ascending; the others are for training
};

/// The rows of split `split` that are not for testing, ascending.
std::vector<std::size_t> training_rows(const SplitData& data, std::size_t split);

/// A directory with `data.txt` (or `data.txt.gz`), numbers separated by blanks, a row a line;
/// `index_features.txt` and `index_target.txt`, numbers of columns; and `index_test_0.txt` ...,
/// numbers of rows. Or one with `data.csv`, the outcome last, and `test_mask.csv`, a column for
/// each split with 1 for its test rows. Files may be packed (.gz). Throws Error, naming the file
/// and the line.
SplitData read_split_directory(const std::string& directory);

/// The first row of numbers of a text, and so on: `what` names it in errors.
std::vector<std::vector<double>> parse_numbers(std::string_view text, const std::string& what);

}  // namespace wmi::frontends
