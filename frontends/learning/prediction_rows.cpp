#include "frontends/learning/prediction_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

Rows to_rows(const Run& run, const Table& table) {
  const bool known = std::ranges::find(table.columns, run.schema.target) != table.columns.end();
  const bnn::Dataset data = to_dataset(table, run.schema, known);
  Rows result{bnn::standardised(data.inputs, run.standardisation), {}};
  // Beyond this the forward pass, in 32-bit floats, may overflow.
  constexpr double most = 1e15;
  for (std::size_t i = 0; i < result.inputs.rows(); ++i)
    for (std::size_t j = 0; j < result.inputs.columns; ++j)
      if (!(std::abs(result.inputs.at(i, j)) <= most))
        throw Error(fmt::format(
            "{}:{}: column '{}': more than 1e15 standard deviations away from "
            "the training rows",
            one_line(table.name), table.lines[i], one_line(input_names(run.schema)[j])));
  if (known) result.outcomes = data.targets;
  return result;
}

/// The training rows, with outcomes in their own units, rounded as a table would have them.
Rows training_rows(const Run& run, const bnn::Dataset& training) {
  Rows result{training.inputs, training.targets};
  if (run.observation.regression())
    for (double& outcome : result.outcomes)
      outcome = std::stod(fmt::format(
          "{:.15g}", run.standardisation.target_mean + run.standardisation.target_scale * outcome));
  return result;
}

}  // namespace

Rows read_rows(const Run& run, const std::string& path) { return to_rows(run, read_table(path)); }

Rows read_input_row(const Run& run, const std::string& values) {
  Table table;
  table.name = "--input";
  for (const Feature& feature : run.schema.features) table.columns.push_back(feature.name);
  table.cells = comma_separated(values);
  if (table.cells.size() != table.columns.size())
    throw UsageError(fmt::format("--input: {} values for {} inputs: {}", table.cells.size(),
                                 table.columns.size(), fmt::join(table.columns, ", ")));
  table.lines = {1};
  return to_rows(run, table);
}

Rows read_named_row(const Predictor& predictor, const Settings& settings) {
  const Run& run = predictor.run;
  if (settings.has("input")) return read_input_row(run, settings.text("input"));
  if (!settings.has("data") && (!predictor.training || !settings.given("row")))
    throw UsageError(fmt::format("name the input: --input 1,2,..., or --data FILE.csv --row N{}",
                                 predictor.training ? ", or --row N of the training rows" : ""));
  const Rows all = settings.has("data") ? read_rows(run, settings.text("data"))
                                        : training_rows(run, *predictor.training);
  const std::size_t rows = all.inputs.rows();
  if (rows == 0)
    throw Error(fmt::format("{}: has no rows",
                            one_line(settings.has("data") ? settings.text("data") : run.path)));
  const std::size_t row = settings.has("row") ? settings.count("row", 0, rows - 1) : 0;
  Rows result{bnn::Matrix(1, all.inputs.columns), {}};
  std::ranges::copy(all.inputs.row(row), result.inputs.row(0).begin());
  if (!all.outcomes.empty()) result.outcomes = {all.outcomes[row]};
  return result;
}

}  // namespace wmi::frontends
