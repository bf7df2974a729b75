#include "frontends/data/table.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/utf8.h"
#include "frontends/packed/packed_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(fmt::format("{}:{}: {}", one_line(name), line, what));
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The separator of the cells, from the first line outside of quotes.
char separator(std::string_view text) {
  std::array<std::size_t, 3> counts{};
  bool quotes = false;
  for (const char c : text) {
    if (c == '"') quotes = !quotes;
    if (quotes) continue;
    if (c == '\n') break;
    if (c == ',') ++counts[0];
    if (c == ';') ++counts[1];
    if (c == '\t') ++counts[2];
  }
  if (counts[0] == 0 && counts[1] == 0 && counts[2] == 0) return ' ';
  if (counts[1] > counts[0]) return ';';
  return counts[0] > 0 ? ',' : '\t';
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& name)
      : text_(text), name_(name), separator_(separator(text)) {}

  char separator_of_cells() const { return separator_; }

  /// Reads the next row that is not empty; false at the end.
  bool next(std::vector<std::string>& row, std::size_t& line) {
    do {
      if (at_ == text_.size()) return false;
      line = line_;
      row.clear();
      read_row(row);
    } while (row.empty() || (row.size() == 1 && row[0].empty()));
    return true;
  }

 private:
  bool at_end_of_line() const {
    return at_ == text_.size() || text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n");
  }

  void read_row(std::vector<std::string>& row) {
    for (;;) {
      if (separator_ == ' ') {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
        if (at_end_of_line()) break;
      }
      row.push_back(read_cell());
      if (row.size() > caps::columns)
        fail(name_, line_, fmt::format("more than {} columns", caps::columns.value()));
      if (at_end_of_line()) break;
      ++at_;  // the separator
    }
    if (at_ < text_.size()) {
      at_ += text_[at_] == '\r' ? 2 : 1;
      ++line_;
    }
  }

  bool at_separator() const {
    return separator_ == ' ' ? is_space(text_[at_]) : text_[at_] == separator_;
  }

  std::string read_cell() {
    std::string cell;
    std::size_t start = at_;
    while (separator_ != ' ' && start < text_.size() && text_[start] == ' ') ++start;
    if (start < text_.size() && text_[start] == '"') {
      at_ = start + 1;
      const std::size_t opened = line_;
      for (;; ++at_) {
        if (at_ == text_.size()) fail(name_, opened, "a quote is never closed");
        if (text_[at_] == '"') {
          if (at_ + 1 < text_.size() && text_[at_ + 1] == '"')
            ++at_;
          else
            break;
        }
        if (text_[at_] == '\n') ++line_;
        cell += text_[at_];
      }
      ++at_;
      while (separator_ != ' ' && at_ < text_.size() && text_[at_] == ' ') ++at_;
      if (!at_end_of_line() && !at_separator())
        fail(name_, line_, "after a closing quote the cell goes on; a quote in it is written \"\"");
    } else {
      while (!at_end_of_line() && !at_separator()) cell += text_[at_++];
      cell = trimmed(cell);
    }
    for (std::string_view rest = cell; !rest.empty();) {
      const std::size_t length = utf8_length(rest);
      if (length == 0 || rest[0] == '\0') fail(name_, line_, "this is no text in UTF-8");
      rest.remove_prefix(length);
    }
    return cell;
  }

  std::string_view text_;
  const std::string& name_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

/// Rewrites columns of numbers with decimal commas.
void read_decimal_commas(Table& table) {
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    bool commas = false, numbers = true;
    for (std::size_t i = 0; numbers && i < table.rows(); ++i) {
      const std::string& cell = table.cell(i, j);
      const bool comma = decimal_comma_number(cell).has_value();
      commas = commas || comma;
      // What is missing may be written in many ways; a point is no decimal comma.
      numbers = comma || cell.find_first_of(".,") == std::string::npos;
    }
    if (!commas || !numbers) continue;
    table.decimal_commas = true;
    for (std::size_t i = 0; i < table.rows(); ++i)
      std::ranges::replace(table.cells[i * table.columns.size() + j], ',', '.');
  }
}

}  // namespace

Table parse_table(std::string_view text, const std::string& name, BrokenRows broken) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Table table;
  table.name = name;
  Parser parser(text, name);
  std::vector<std::string> row;
  std::size_t line = 1;
  if (!parser.next(row, line)) throw Error(one_line(name) + ": is empty");
  table.header = !std::ranges::all_of(
      row, [](const std::string& cell) { return cell_number(cell).has_value(); });
  if (table.header) {
    std::set<std::string> seen;
    for (const std::string& column : row) {
      if (column.empty())
        fail(name, line,
             &column == row.data()
                 ? "the first column has no name; an index of pandas is left out by "
                   "to_csv(..., index=False)"
                 : "a column has no name");
      if (!seen.insert(column).second)
        fail(name, line, fmt::format("two columns are named '{}'", one_line(column)));
    }
    table.columns = row;
    if (!parser.next(row, line)) throw Error(one_line(name) + ": has a header and no rows");
  } else {
    for (std::size_t j = 0; j < row.size(); ++j) table.columns.push_back(fmt::format("c{}", j + 1));
  }
  do {
    if (row.size() != table.columns.size()) {
      const std::string what = fmt::format("{} cells, not {}", row.size(), table.columns.size());
      if (broken == BrokenRows::refused) fail(name, line, what);
      table.broken.emplace(table.rows(), fmt::format("{}:{}: {}", one_line(name), line, what));
      row.resize(table.columns.size());
    }
    if (table.cells.size() + row.size() > caps::cells)
      fail(name, line, fmt::format("more than {} cells", caps::cells.value()));
    table.lines.push_back(line);
    for (std::string& cell : row) table.cells.push_back(std::move(cell));
  } while (parser.next(row, line));
  if (parser.separator_of_cells() != ',') read_decimal_commas(table);
  return table;
}

Table read_table(const std::string& path, BrokenRows broken, const std::string& name_in_messages) {
  const std::string name = !name_in_messages.empty() ? name_in_messages
                           : path == "-"             ? "standard input"
                                                     : path;
  std::string text;
  try {
    text = unpacked(read_input(path), caps::unpacked);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", one_line(name), error.what()));
  }
  return parse_table(text, name, broken);
}

Table select(const Table& table, std::span<const std::size_t> rows) {
  Table result = table;
  result.cells.clear();
  result.lines.clear();
  result.broken.clear();
  for (const std::size_t row : rows) {
    if (const auto broken = table.broken.find(row); broken != table.broken.end())
      result.broken.emplace(result.rows(), broken->second);
    result.lines.push_back(table.lines[row]);
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      result.cells.push_back(table.cell(row, j));
  }
  return result;
}

std::optional<double> cell_number(std::string_view cell) {
  if (cell.starts_with('+') && cell.size() > 1 && cell[1] != '-') cell.remove_prefix(1);
  double result = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), result);
  if (error == std::errc::result_out_of_range && end == cell.data() + cell.size()) {
    // Underflow gives 0; overflow gives no number.
    return std::abs(std::strtod(std::string(cell).c_str(), nullptr)) < 1 ? std::optional(0.0)
                                                                         : std::nullopt;
  }
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(result))
    return std::nullopt;
  return result;
}

std::optional<double> decimal_comma_number(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || cell.find('.') != std::string_view::npos)
    return std::nullopt;
  std::string text(cell);
  text[comma] = '.';
  return cell_number(text);
}

std::size_t column_index(const Table& table, const std::string& column, std::string_view role) {
  const auto found = std::ranges::find(table.columns, column);
  if (found != table.columns.end()) return static_cast<std::size_t>(found - table.columns.begin());
  std::string known;
  for (std::size_t j = 0; j < table.columns.size() && j < 12; ++j)
    known += (j > 0 ? ", " : "") + one_line(table.columns[j]);
  if (table.columns.size() > 12) known += ", ...";
  throw Error(fmt::format("{}: there is no column '{}'{}; the columns are {}", one_line(table.name),
                          one_line(column), role, known));
}

void fail_cell(const Table& table, std::size_t row, std::size_t column, const std::string& what) {
  fail(table.name, table.lines[row],
       fmt::format("column '{}': {}", one_line(table.columns[column]), what));
}

std::string data_hash(const Table& table) {
  sha256_ctx hash;
  sha256_init(&hash);
  const auto add = [&](const std::string& word) {
    const std::string text = std::to_string(word.size()) + ":" + word;
    sha256_update(&hash, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  };
  add(std::to_string(table.columns.size()));
  for (const std::string& column : table.columns) add(column);
  for (const std::string& cell : table.cells) add(cell);
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&hash, digest.size(), digest.data());
  return fmt::format("sha256:{:02x}", fmt::join(digest, ""));
}

}  // namespace wmi::frontends
