#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "bnn/numeric/matrix.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// Rows to predict, read by the schema of a run.
struct Rows {
  bnn::Matrix inputs;  // standardised, within the run's limits
  /// In their own units, or numbers of classes; NaN where one is missing, and empty if unknown.
  std::vector<double> outcomes;
  std::map<std::size_t, std::string> errors = {};   // rows that cannot be predicted, and why
  std::vector<std::vector<std::string>> kept = {};  // of each row, the cells of the kept columns
  bnn::Matrix unlimited = {};  // `inputs` as they were before the run's limits; empty: the same
};

/// The rows of a CSV file, with the cells of the columns to keep. `name`: of the file in messages, if
/// it is not its path. Throws Error.
Rows read_rows(const Run& run, const std::string& path, std::span<const std::string> keep = {},
               const std::string& name = "");

/// One row from `--input`: values in the order of the schema, as in `3.5,red`. Throws UsageError.
Rows read_input_row(const Run& run, const std::string& values);

/// The row named by --input, or by --data and --row (counted from 0); by --row alone, one of the
/// training rows. Throws Error and UsageError.
Rows read_named_row(const Predictor& predictor, const Settings& settings);

}  // namespace wmi::frontends
