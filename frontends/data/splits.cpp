#include "frontends/data/splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "frontends/packed/packed_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// Integers below a limit, one a line; some writers print 1 as `1.0e+00`.
std::vector<std::size_t> read_numbers_below(const std::string& path, std::size_t limit) {
  std::vector<std::size_t> result;
  for (const std::vector<double>& line : parse_numbers(read_unpacked(path), path))
    for (const double number : line) {
      if (!(number >= 0) || number >= static_cast<double>(limit) || number != std::floor(number))
        throw Error(fmt::format("{}: {} is no number of a row or column, which are 0 to {}", path,
                                number, limit - 1));
      result.push_back(static_cast<std::size_t>(number));
    }
  if (result.empty()) throw Error(path + ": names nothing");
  return result;
}

/// The path of NAME or NAME.gz; empty if neither exists.
fs::path find_packed(const fs::path& directory, const std::string& name) {
  for (const std::string& each : {name, name + ".gz"})
    if (fs::exists(directory / each)) return directory / each;
  return {};
}

/// Rows of numbers, all of the same length.
std::vector<std::vector<double>> read_rows(const std::string& file) {
  std::vector<std::vector<double>> rows = parse_numbers(read_unpacked(file), file);
  if (rows.empty()) throw Error(file + ": has no rows");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].size() != rows[0].size())
      throw Error(fmt::format("{}: row {} has {} numbers, the first has {}", file, i,
                              rows[i].size(), rows[0].size()));
  return rows;
}

/// Reads `data.csv`, with the outcome in its last column, and `test_mask.csv`, with a column for
/// each split that is 1 in its test rows.
SplitData read_masked(const std::string& data, const std::string& mask) {
  const std::vector<std::vector<double>> rows = read_rows(data), marks = read_rows(mask);
  if (rows[0].size() < 2) throw Error(data + ": needs an input and an outcome in each row");
  if (marks.size() != rows.size())
    throw Error(fmt::format("{}: has {} rows, {} has {}", mask, marks.size(), data, rows.size()));
  SplitData result;
  const std::size_t inputs = rows[0].size() - 1;
  result.rows.inputs = bnn::Matrix(rows.size(), inputs);
  result.tests.resize(marks[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(rows[i].begin(), inputs, result.rows.inputs.row(i).begin());
    result.rows.targets.push_back(rows[i].back());
    for (std::size_t split = 0; split < result.tests.size(); ++split) {
      const double flag = marks[i][split];
      if (flag != 0 && flag != 1)
        throw Error(
            fmt::format("{}: row {} has a {}; 1 is for a test row, 0 for another", mask, i, flag));
      if (flag == 1) result.tests[split].push_back(i);
    }
  }
  for (std::size_t split = 0; split < result.tests.size(); ++split)
    if (result.tests[split].empty() || result.tests[split].size() == rows.size())
      throw Error(fmt::format("{}: split {} leaves nothing to train or to test on", mask, split));
  return result;
}

}  // namespace

std::vector<std::vector<double>> parse_numbers(std::string_view text, const std::string& what) {
  std::vector<std::vector<double>> result;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::vector<double> row;
    for (;;) {
      const std::size_t start = rest.find_first_not_of(" \t\r,");
      if (start == std::string_view::npos) break;
      rest.remove_prefix(start);
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r,"));
      const char* const from = word.data() + (word.starts_with('+') ? 1 : 0);
      double number = 0;
      const auto [stop, error] = std::from_chars(from, word.data() + word.size(), number);
      if (error != std::errc() || stop != word.data() + word.size() || !std::isfinite(number))
        throw Error(fmt::format("{}:{}: '{}' is no number", what, line, word));
      row.push_back(number);
      rest.remove_prefix(word.size());
    }
    if (!row.empty()) result.push_back(std::move(row));
  }
  return result;
}

std::vector<std::size_t> training_rows(const SplitData& data, std::size_t split) {
  std::vector<std::size_t> result;
  for (std::size_t row = 0; row < data.rows.rows(); ++row)
    if (!std::ranges::binary_search(data.tests[split], row)) result.push_back(row);
  return result;
}

SplitData read_split_directory(const std::string& directory) {
  const fs::path file = find_packed(directory, "data.txt");
  if (file.empty()) {
    const fs::path data = find_packed(directory, "data.csv");
    const fs::path mask = find_packed(directory, "test_mask.csv");
    if (!data.empty() && !mask.empty()) return read_masked(data, mask);
    throw Error(
        fmt::format("{}: there is no data.txt, and no data.csv with a test_mask.csv (any of "
                    "them may be packed, .gz)",
                    directory));
  }
  const std::vector<std::vector<double>> rows = read_rows(file);
  const fs::path path = directory;
  const std::vector<std::size_t> features =
      read_numbers_below(path / "index_features.txt", rows[0].size());
  const std::string target_file = path / "index_target.txt";
  const std::vector<std::size_t> target = read_numbers_below(target_file, rows[0].size());
  if (target.size() != 1) throw Error(target_file + ": names more than one column");
  SplitData result;
  result.rows.inputs = bnn::Matrix(rows.size(), features.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < features.size(); ++j)
      result.rows.inputs.at(i, j) = rows[i][features[j]];
    result.rows.targets.push_back(rows[i][target[0]]);
  }
  for (std::size_t split = 0;; ++split) {
    const fs::path test = path / fmt::format("index_test_{}.txt", split);
    if (!fs::exists(test)) break;
    std::vector<std::size_t> numbers = read_numbers_below(test, rows.size());
    std::ranges::sort(numbers);
    if (std::ranges::adjacent_find(numbers) != numbers.end())
      throw Error(fmt::format("{}: names a row twice", test.string()));
    if (numbers.size() == rows.size())
      throw Error(fmt::format("{}: leaves no row for training", test.string()));
    result.tests.push_back(std::move(numbers));
  }
  if (result.tests.empty()) throw Error(fmt::format("{}: there is no index_test_0.txt", directory));
  return result;
}

}  // namespace wmi::frontends
