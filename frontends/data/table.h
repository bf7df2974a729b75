#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/dataset.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// A table of words under named columns, as a file has it.
struct Table {
  std::string name;  // of the file, for messages
  std::vector<std::string> columns;
  std::vector<std::string> cells;  // row by row
  std::vector<std::size_t> lines;  // where each row begins in the file
  bool header = true;              // the names stand in the file

  std::size_t rows() const { return lines.size(); }
  const std::string& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// Reads a text of rows: RFC 4180 (commas, quotes, quoted line breaks), and likewise with
/// semicolons or tabs; without any of these, numbers with white space between them. LF or CRLF; a
/// byte order mark is skipped. A first row of numbers only is no header: the columns are then c1,
/// c2, ... Throws Error with `NAME:LINE: ...`.
Table parse_table(std::string_view text, const std::string& name);
Table read_table(const std::string& path);

enum class LearningTask { automatic, regression, classification };

/// What to make of the columns of a table.
struct SchemaRequest {
  std::string target;
  LearningTask task = LearningTask::automatic;  // a column of words is a classification
  std::vector<std::string> categorical;  // columns whose entries are words, though they are numbers
  std::vector<std::string> ignored;      // columns that are no inputs
};

/// The schema of a table: columns of numbers, and columns of words, where most entries are no
/// numbers. `warn` hears of what is legal and odd. Throws Error, naming line and column: missing
/// values, odd cells among numbers, a constant target.
Schema fit_schema(const Table& table, const SchemaRequest& request,
                  const std::function<void(const std::string&)>& warn);
Schema fit_schema(const Table& table, const std::string& target,
                  LearningTask task = LearningTask::automatic);

/// The rows of a table as this schema reads them, not standardised. Columns are found by name and
/// may stand in another order; others are ignored. Throws Error, naming line and column, also for a
/// word that was not there when the schema was made.
///
/// Without `targets` the column of the target is not needed, and they are 0.
bnn::Dataset to_dataset(const Table& table, const Schema& schema, bool targets = true);

/// `sha256:` and the digest of the names and cells of a table, whatever its separators and quotes.
std::string data_hash(const Table& table);

/// The inputs of a network that reads this schema, by name: `age`, `colour=red`.
std::vector<std::string> input_names(const Schema& schema);

}  // namespace wmi::frontends
