#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// A table of text cells with named columns, as a file has it.
struct Table {
  std::string name;  // of the file, for messages
  std::vector<std::string> columns;
  std::vector<std::string> cells;  // row by row
  std::vector<std::size_t> lines;  // the line of the file where each row begins
  bool header = true;              // the file has the names of the columns
  bool decimal_commas = false;     // some numbers had a comma, which is a point in `cells`
  std::map<std::size_t, std::string> broken = {};  // rows that are kept, and why: see BrokenRows

  std::size_t rows() const { return lines.size(); }
  const std::string& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// What becomes of a row with too few or too many cells: an error, or a row with missing or lost
/// cells that is listed in Table::broken.
enum class BrokenRows { refused, kept };

/// Parses CSV by RFC 4180 (quotes, quoted line breaks), with commas, semicolons or tabs; without
/// any of these, numbers separated by white space. Lines end in LF or CRLF; a byte order mark is
/// skipped. If the first row has only numbers, there is no header, and the columns are c1, c2, ...
/// Where commas do not separate cells, columns of numbers with decimal commas (`7,4`) are read with
/// points. Throws Error with `NAME:LINE: ...`. Ours, since messages need lines and columns.
Table parse_table(std::string_view text, const std::string& name,
                  BrokenRows broken = BrokenRows::refused);
/// The same from a file, also compressed (gzip, xz), from a pipe, or from standard input for `-`.
Table read_table(const std::string& path, BrokenRows broken = BrokenRows::refused,
                 const std::string& name_in_messages = "");

/// These rows of a table, in this order.
Table select(const Table& table, std::span<const std::size_t> rows);

/// The finite number in a cell, or nullopt.
std::optional<double> cell_number(std::string_view cell);

/// The same with a decimal comma: 7.4 for `7,4`.
std::optional<double> decimal_comma_number(std::string_view cell);

/// Throws Error if there is no such column; `role` says in the message what it is needed for.
std::size_t column_index(const Table& table, const std::string& column, std::string_view role);

/// Throws Error `NAME:LINE: column 'COLUMN': WHAT`.
[[noreturn]] void fail_cell(const Table& table, std::size_t row, std::size_t column,
                            const std::string& what);

/// `sha256:` and the digest of the column names and cells of a table; independent of separators and
/// quotes.
std::string data_hash(const Table& table);

}  // namespace wmi::frontends
