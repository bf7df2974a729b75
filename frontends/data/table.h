#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/dataset.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// A table of text cells with named columns, as a file has it.
struct Table {
  std::string name;  // of the file, for messages
  std::vector<std::string> columns;
  std::vector<std::string> cells;  // row by row
  std::vector<std::size_t> lines;  // the line of the file where each row begins
  bool header = true;              // the file has the names of the columns

  std::size_t rows() const { return lines.size(); }
  const std::string& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// Parses CSV by RFC 4180 (quotes, quoted line breaks), with commas, semicolons or tabs; without
/// any of these, numbers separated by white space. Lines end in LF or CRLF; a byte order mark is
/// skipped. If the first row has only numbers, there is no header, and the columns are c1, c2, ...
/// Throws Error with `NAME:LINE: ...`. Ours, since messages need lines and columns.
Table parse_table(std::string_view text, const std::string& name);
Table read_table(const std::string& path);

enum class LearningTask { automatic, regression, classification };

/// The roles of the columns of a table.
struct SchemaRequest {
  std::string target;
  LearningTask task = LearningTask::automatic;  // automatic: classification if the target has words
  std::vector<std::string> categorical;         // columns of numbers that are read as words
  std::vector<std::string> ignored;             // columns that are not inputs
};

/// Derives the schema of a table; a column with mostly text is categorical. `warn` is called for
/// suspicious columns. Throws Error, naming line and column, for missing values, text among
/// numbers, and a constant target.
Schema fit_schema(const Table& table, const SchemaRequest& request,
                  const std::function<void(const std::string&)>& warn);
Schema fit_schema(const Table& table, const std::string& target,
                  LearningTask task = LearningTask::automatic);

/// The rows of a table encoded by a schema, not standardised. Columns are found by name, in any
/// order; others are ignored. Throws Error, naming line and column, also for a category that the
/// schema does not have.
///
/// Without `targets` the target column is not needed, and the targets are 0.
bnn::Dataset to_dataset(const Table& table, const Schema& schema, bool targets = true);

/// `sha256:` and the digest of the column names and cells of a table; independent of separators and
/// quotes.
std::string data_hash(const Table& table);

/// The names of the inputs of a network with this schema: `age`, `colour=red`.
std::vector<std::string> input_names(const Schema& schema);

}  // namespace wmi::frontends
