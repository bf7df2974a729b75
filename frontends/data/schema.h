#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/dataset.h"
#include "frontends/data/table.h"

namespace wmi::frontends {

/// A column of a table that a network reads: a number, a date, or a word with a one-hot encoding,
/// one input for each of the sorted `categories`.
struct Feature {
  std::string name;
  std::vector<std::string> categories = {};  // empty: a number or a date
  /// Words: one more input stands for all other words and for missing ones.
  bool other = false;
  /// Dates: three inputs, days since 1970 and the season, as sine and cosine of the time of year.
  bool date = false;
  /// Numbers and dates: stands for missing values, which one more input marks.
  std::optional<double> median = {};
  /// Numbers and dates: two more inputs for each period p, sine and cosine of 2 pi x / p.
  std::vector<double> periods = {};
};

/// The number of inputs that a feature becomes.
std::size_t input_count(const Feature& feature);

/// Days since 1970 of `2024-02-29`, also with a time: `2024-02-29 18:30`, `2024-02-29T18:30:00Z`.
/// Nullopt for other text.
std::optional<double> date_days(std::string_view cell);
/// The date of so many days since 1970, with its time to the minute if it has one: `2024-02-29`.
/// Days beyond the years 0 to 9999 are written as a number.
std::string date_text(double days);

/// The range of targets that are whole numbers.
struct WholeNumbers {
  double least = 0;
  double most = 0;
};

/// How rows of a table become inputs and outcomes. It is part of a run, so that later tables are
/// encoded in the same way.
struct Schema {
  std::vector<Feature> features;
  std::string target;
  std::vector<std::string> classes;        // of a classification, by number; empty: regression
  std::optional<WholeNumbers> whole = {};  // of a regression: all targets are whole numbers
};

/// The number of inputs of a network with this schema.
std::size_t input_count(const Schema& schema);
/// The names of the inputs of a network with this schema: `age`, `colour=red`.
std::vector<std::string> input_names(const Schema& schema);

enum class LearningTask { automatic, regression, classification };

/// The roles of the columns of a table.
struct SchemaRequest {
  std::string target;
  LearningTask task = LearningTask::automatic;  // automatic: classification if the target has words
  std::vector<std::string> categorical;         // columns of numbers that are read as words
  std::vector<std::string> ignored;             // columns that are not inputs
  std::map<std::string, double> periods = {};   // of columns of numbers or dates that repeat
  std::size_t waves =
      0;  // of every column of numbers: periods from twice its range on, each half as
          // long as the one before
};

/// Derives the schema of a table; a column with mostly text is categorical. Columns with missing
/// values have an input for them, and rare words of long tables become one. `warn` is called for
/// these and for suspicious columns. Throws Error, naming line and column, for missing targets, text
/// among numbers, and a constant target.
Schema fit_schema(const Table& table, const SchemaRequest& request,
                  const std::function<void(const std::string&)>& warn);
Schema fit_schema(const Table& table, const std::string& target,
                  LearningTask task = LearningTask::automatic);

/// The rows of a table encoded by a schema, not standardised. Columns are found by name, in any
/// order; others are ignored. Throws Error, naming line and column, also for a category that the
/// schema does not have, and for a missing value in a column that had none.
///
/// Without `targets` the target column is not needed, and the targets are 0.
bnn::Dataset to_dataset(const Table& table, const Schema& schema, bool targets = true);

/// The rows of a table of which some may not be readable.
struct ReadRows {
  /// Inputs of unreadable rows are 0. A missing target is no number (NaN); without the column, the
  /// targets are empty.
  bnn::Dataset data;
  std::map<std::size_t, std::string> errors;  // of unreadable rows: what to_dataset throws
  /// A line for each column with words that the training rows did not have, or rarely.
  std::vector<std::string> other_words = {};
};

/// Row by row, so that one bad row is one bad row. Throws Error if a column is missing.
ReadRows read_rows(const Table& table, const Schema& schema);

}  // namespace wmi::frontends
