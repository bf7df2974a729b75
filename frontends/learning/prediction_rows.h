#pragma once

#include <string>
#include <vector>

#include "bnn/numeric/matrix.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// Rows to predict, read by the schema of a run.
struct Rows {
  bnn::Matrix inputs;            // standardised
  std::vector<double> outcomes;  // in their own units, or numbers of classes; empty if unknown
};

/// The rows of a CSV file. Throws Error.
Rows read_rows(const Run& run, const std::string& path);

/// One row from `--input`: values in the order of the schema, as in `3.5,red`. Throws UsageError.
Rows read_input_row(const Run& run, const std::string& values);

/// The row named by --input, or by --data and --row (counted from 0); by --row alone, one of the
/// training rows. Throws Error and UsageError.
Rows read_named_row(const Predictor& predictor, const Settings& settings);

}  // namespace wmi::frontends
