#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/numeric/matrix.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"
#include "frontends/data/table.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// Rows to predict, read by the schema of a run.
struct Rows {
  bnn::Matrix inputs;  // standardised, within the run's limits
  /// In their own units, or numbers of classes; NaN where one is missing, and empty if unknown.
  std::vector<double> outcomes;
  std::map<std::size_t, std::string> errors = {};   // rows that cannot be predicted, and why
  std::vector<std::vector<std::string>> kept = {};  // of each row, the cells of the kept columns
  std::vector<std::string> other_words = {};        // see ReadRows
  bnn::Matrix unlimited = {};  // `inputs` as they were before the run's limits; empty: the same
};

/// The rows of a table that can be scored: those that can be read and have an outcome.
struct ScoredRows {
  bnn::Dataset own;       // in their own units; without targets if there is no such column
  bnn::Dataset standard;  // standardised
  std::vector<std::size_t> places;  // of each row in the table, counted from 0
  std::vector<std::string> said;    // about rows that are left out, and other words
  bool broken = false;              // some rows cannot be read: the exit status should be 1
};

/// The rows of a CSV file, with the cells of the columns to keep. `name`: of the file in messages, if
/// it is not its path. Throws Error.
Rows read_rows(const Run& run, const std::string& path, std::span<const std::string> keep = {},
               const std::string& name = "");

/// Why rows cannot be read, the first few of them, and that so many of `rows` `what`.
std::vector<std::string> row_errors(const std::map<std::size_t, std::string>& errors,
                                    std::size_t rows, std::string_view what);

/// The rows of a table to score. Throws Error if there are none.
ScoredRows read_scored_rows(const Run& run, const Table& table);

/// One row from `--input`: values in the order of the schema, as in `3.5,red`. Throws UsageError.
Rows read_input_row(const Run& run, const std::string& values);

/// The row named by --input, or by --data and --row (counted from 0); by --row alone, one of the
/// training rows. Throws Error and UsageError.
Rows read_named_row(const Predictor& predictor, const Settings& settings);

}  // namespace wmi::frontends
