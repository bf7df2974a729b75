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

/// The inputs of `found`, standardised without limits; rows too far from the training rows become
/// errors.
bnn::Matrix standardised_inputs(const Run& run, const Table& table, ReadRows& found) {
  bnn::Matrix result =
      bnn::standardised(found.data.inputs, bnn::without_limits(run.standardisation));
  // Beyond this the forward pass, in 32-bit floats, may overflow.
  constexpr double most = 1e15;
  for (std::size_t i = 0; i < result.rows(); ++i)
    for (std::size_t j = 0; j < result.columns && !found.errors.contains(i); ++j)
      if (!(std::abs(result.at(i, j)) <= most)) {
        found.errors.emplace(
            i, fmt::format("{}:{}: column '{}': more than 1e15 standard deviations away from the "
                           "training rows",
                           one_line(table.name), table.lines[i],
                           one_line(input_names(run.schema)[j])));
        std::ranges::fill(result.row(i), 0);
        std::ranges::fill(found.data.inputs.row(i), 0);
      }
  return result;
}

Rows to_rows(const Run& run, const Table& table) {
  ReadRows found = read_rows(table, run.schema);
  bnn::Matrix inputs = standardised_inputs(run, table, found);
  Rows result{std::move(inputs), std::move(found.data.targets), std::move(found.errors)};
  result.other_words = std::move(found.other_words);
  if (run.standardisation.input_least.empty()) return result;
  result.unlimited = std::move(result.inputs);
  result.inputs = bnn::standardised(found.data.inputs, run.standardisation);
  return result;
}

/// Throws Error if one of the rows cannot be predicted.
Rows all_readable(Rows rows) {
  if (!rows.errors.empty()) throw Error(rows.errors.begin()->second);
  return rows;
}

/// The training rows, with outcomes in their own units, rounded as a table would have them.
Rows training_rows(const Run& run, const bnn::Dataset& training) {
  Rows result{training.inputs, training.targets};
  if (run.observation.regression())
    for (double& outcome : result.outcomes)
      outcome = std::stod(fmt::format("{:.15g}", bnn::own_target(outcome, run.standardisation)));
  return result;
}

}  // namespace

Rows read_rows(const Run& run, const std::string& path, std::span<const std::string> keep,
               const std::string& name) {
  const Table table = read_table(path, BrokenRows::kept, name);
  Rows result = to_rows(run, table);
  std::vector<std::size_t> columns;
  for (const std::string& column : keep)
    columns.push_back(column_index(table, column, ", which is to be kept"));
  if (columns.empty()) return result;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::vector<std::string>& cells = result.kept.emplace_back();
    for (const std::size_t column : columns) cells.push_back(table.cell(i, column));
  }
  return result;
}

ScoredRows read_scored_rows(const Run& run, const Table& table) {
  ReadRows found = read_rows(table, run.schema);
  standardised_inputs(run, table, found);
  const std::vector<double>& targets = found.data.targets;
  ScoredRows result;
  std::size_t without_outcome = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (found.errors.contains(i)) continue;
    if (!targets.empty() && std::isnan(targets[i]))
      ++without_outcome;
    else
      result.places.push_back(i);
  }
  if (result.places.empty() && !found.errors.empty()) throw Error(found.errors.begin()->second);
  if (result.places.empty())
    throw Error(
        fmt::format("{}: no row has a '{}'", one_line(table.name), one_line(run.schema.target)));
  result.said = row_errors(found.errors, table.rows(), "are left out");
  result.broken = !found.errors.empty();
  if (without_outcome > 0)
    result.said.push_back(fmt::format("{} of {} rows have no '{}' and are left out",
                                      without_outcome, table.rows(), one_line(run.schema.target)));
  for (const std::string& line : found.other_words) result.said.push_back("warning: " + line);
  const bool known = !targets.empty();
  if (!known) found.data.targets.resize(table.rows());
  result.own = bnn::select(found.data, result.places);
  if (known) {
    result.standard = bnn::standardised(result.own, run.standardisation);
  } else {
    result.standard = {bnn::standardised(result.own.inputs, run.standardisation), {}};
    result.own.targets.clear();
  }
  return result;
}

std::vector<std::string> row_errors(const std::map<std::size_t, std::string>& errors,
                                    std::size_t rows, std::string_view what) {
  constexpr std::size_t most = 10;
  std::vector<std::string> result;
  for (const auto& [row, error] : errors) {
    if (result.size() == most) {
      result.push_back(fmt::format("... and {} more such rows", errors.size() - most));
      break;
    }
    result.push_back(one_line(error));
  }
  if (!errors.empty()) result.push_back(fmt::format("{} of {} rows {}", errors.size(), rows, what));
  return result;
}

Rows read_input_row(const Run& run, const std::string& values) {
  Table table;
  table.name = "--input";
  for (const Feature& feature : run.schema.features) table.columns.push_back(feature.name);
  table.cells = comma_separated(values);
  if (table.cells.size() != table.columns.size())
    throw UsageError(fmt::format("--input: {} values for {} inputs: {}", table.cells.size(),
                                 table.columns.size(), fmt::join(table.columns, ", ")));
  table.lines = {1};
  return all_readable(to_rows(run, table));
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
  if (const auto error = all.errors.find(row); error != all.errors.end())
    throw Error(error->second);
  Rows result{bnn::Matrix(1, all.inputs.columns), {}};
  std::ranges::copy(all.inputs.row(row), result.inputs.row(0).begin());
  if (!all.outcomes.empty() && !std::isnan(all.outcomes[row]))
    result.outcomes = {all.outcomes[row]};
  return result;
}

}  // namespace wmi::frontends
