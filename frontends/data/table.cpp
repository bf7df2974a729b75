#include "frontends/data/table.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/utf8.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::string quoted_name(std::string_view name) { return "'" + one_line(name) + "'"; }

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(fmt::format("{}:{}: {}", one_line(name), line, what));
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 8> words = {"",     "na", "n/a",  "nan",
                                                     "null", "?",  "none", "-nan"};
  return std::ranges::find(words, lower(cell)) != words.end();
}

/// The finite number in a cell, or nullopt.
std::optional<double> number(std::string_view cell) {
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

bool is_infinite(std::string_view cell) {
  const std::string word =
      lower(cell.starts_with('-') || cell.starts_with('+') ? cell.substr(1) : cell);
  return word == "inf" || word == "infinity";
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

std::size_t column_index(const Table& table, const std::string& column, std::string_view role) {
  const auto found = std::ranges::find(table.columns, column);
  if (found != table.columns.end()) return static_cast<std::size_t>(found - table.columns.begin());
  std::string known;
  for (std::size_t j = 0; j < table.columns.size() && j < 12; ++j)
    known += (j > 0 ? ", " : "") + one_line(table.columns[j]);
  if (table.columns.size() > 12) known += ", ...";
  throw Error(fmt::format("{}: there is no column {}{}; the columns are {}", one_line(table.name),
                          quoted_name(column), role, known));
}

[[noreturn]] void fail_cell(const Table& table, std::size_t row, std::size_t column,
                            const std::string& what) {
  fail(table.name, table.lines[row],
       fmt::format("column {}: {}", quoted_name(table.columns[column]), what));
}

[[noreturn]] void fail_missing(const Table& table, std::size_t row, std::size_t column) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) count += is_missing(table.cell(i, column)) ? 1 : 0;
  const std::string& cell = table.cell(row, column);
  fail_cell(table, row, column,
            fmt::format("a missing value{}{}; fill it in or take the row or column out",
                        cell.empty() ? "" : " (" + one_line(cell) + ")",
                        count > 1 ? fmt::format(", one of {} in this column", count) : ""));
}

double number_at(const Table& table, std::size_t row, std::size_t column) {
  const std::string& cell = table.cell(row, column);
  if (const std::optional<double> value = number(cell)) return *value;
  if (is_missing(cell)) fail_missing(table, row, column);
  if (is_infinite(cell)) fail_cell(table, row, column, "'" + one_line(cell) + "' is not finite");
  const bool comma = std::ranges::count(cell, ',') == 1;
  fail_cell(table, row, column,
            fmt::format("'{}' is no number{}", one_line(cell),
                        comma ? "; decimals are written with a point" : ""));
}

/// The distinct words of a column, sorted, as numbers if all are numbers.
std::vector<std::string> words_of(const Table& table, std::size_t column) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string& cell = table.cell(i, column);
    if (is_missing(cell)) fail_missing(table, i, column);
    words.insert(cell);
    if (words.size() > caps::words)
      fail_cell(table, i, column,
                fmt::format("more than {} different words; leave the column out, or turn it into "
                            "numbers",
                            caps::words.value()));
  }
  std::vector<std::string> result(words.begin(), words.end());
  if (std::ranges::all_of(result, [](const std::string& word) { return bool(number(word)); }))
    std::ranges::stable_sort(result, {}, [](const std::string& word) { return *number(word); });
  return result;
}

/// True if most entries of a column are not numbers.
bool has_words(const Table& table, std::size_t column) {
  std::size_t numbers = 0, words = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string& cell = table.cell(i, column);
    if (is_missing(cell)) continue;
    ++(number(cell) || is_infinite(cell) ? numbers : words);
  }
  return words > numbers;
}

bool is_constant(const Table& table, std::size_t column) {
  for (std::size_t i = 1; i < table.rows(); ++i)
    if (table.cell(i, column) != table.cell(0, column)) return false;
  return true;
}

}  // namespace

Table parse_table(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Table table;
  table.name = name;
  Parser parser(text, name);
  std::vector<std::string> row;
  std::size_t line = 1;
  if (!parser.next(row, line)) throw Error(one_line(name) + ": is empty");
  table.header =
      !std::ranges::all_of(row, [](const std::string& cell) { return number(cell).has_value(); });
  if (table.header) {
    std::set<std::string> seen;
    for (const std::string& column : row) {
      if (column.empty()) fail(name, line, "a column has no name");
      if (!seen.insert(column).second)
        fail(name, line, "two columns are named " + quoted_name(column));
    }
    table.columns = row;
    if (!parser.next(row, line)) throw Error(one_line(name) + ": has a header and no rows");
  } else {
    for (std::size_t j = 0; j < row.size(); ++j) table.columns.push_back(fmt::format("c{}", j + 1));
  }
  do {
    if (row.size() != table.columns.size())
      fail(name, line, fmt::format("{} cells, not {}", row.size(), table.columns.size()));
    if (table.cells.size() + row.size() > caps::cells)
      fail(name, line, fmt::format("more than {} cells", caps::cells.value()));
    table.lines.push_back(line);
    for (std::string& cell : row) table.cells.push_back(std::move(cell));
  } while (parser.next(row, line));
  return table;
}

Table read_table(const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", one_line(path), error.what()));
  }
  return parse_table(text, path);
}

Schema fit_schema(const Table& table, const SchemaRequest& request,
                  const std::function<void(const std::string&)>& warn) {
  const std::size_t target = column_index(table, request.target, ", which is the target");
  std::set<std::size_t> ignored, categorical;
  for (const std::string& name : request.ignored)
    ignored.insert(column_index(table, name, " to ignore"));
  for (const std::string& name : request.categorical)
    categorical.insert(column_index(table, name, " of categories"));
  Schema schema;
  schema.target = request.target;
  const bool words = has_words(table, target);
  const bool classes =
      request.task == LearningTask::classification ||
      (request.task == LearningTask::automatic && (words || categorical.contains(target)));
  if (is_constant(table, target)) {
    if (is_missing(table.cell(0, target))) fail_missing(table, 0, target);
    throw Error(fmt::format("{}: the target {} is always {}: there is nothing to learn",
                            one_line(table.name), quoted_name(request.target),
                            one_line(table.cell(0, target))));
  }
  if (classes) {
    schema.classes = words_of(table, target);
  } else {
    std::set<double> values;
    for (std::size_t i = 0; i < table.rows(); ++i) values.insert(number_at(table, i, target));
    if (values.size() == 2 && request.task == LearningTask::automatic)
      warn(
          fmt::format("the target {} has two values only; the task classification takes "
                      "them as classes",
                      quoted_name(request.target)));
  }
  std::size_t inputs = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (j == target || ignored.contains(j)) continue;
    Feature feature{table.columns[j], {}};
    if (categorical.contains(j) || has_words(table, j)) {
      feature.categories = words_of(table, j);
      if (feature.categories.size() == table.rows() && table.rows() > 2)
        warn(
            fmt::format("column {} has another word in every row: it tells rows apart and says "
                        "nothing of new ones; ignore it as an input",
                        quoted_name(feature.name)));
    } else {
      for (std::size_t i = 0; i < table.rows(); ++i) number_at(table, i, j);
    }
    if (is_constant(table, j))
      warn(fmt::format("column {} is always {}: it says nothing", quoted_name(feature.name),
                       one_line(table.cell(0, j))));
    inputs += std::max<std::size_t>(1, feature.categories.size());
    if (inputs > caps::inputs)
      throw Error(fmt::format("{}: more than {} inputs; leave columns of words out",
                              one_line(table.name), caps::inputs.value()));
    schema.features.push_back(std::move(feature));
  }
  if (schema.features.empty())
    throw Error(fmt::format("{}: there is no column but the target", one_line(table.name)));
  return schema;
}

Schema fit_schema(const Table& table, const std::string& target, LearningTask task) {
  return fit_schema(table, {target, task, {}, {}}, [](const std::string&) {});
}

bnn::Dataset to_dataset(const Table& table, const Schema& schema, bool targets) {
  bnn::Dataset result;
  std::vector<std::size_t> columns;
  std::size_t inputs = 0;
  for (const Feature& feature : schema.features) {
    columns.push_back(column_index(table, feature.name, ", which the network reads"));
    inputs += std::max<std::size_t>(1, feature.categories.size());
  }
  if (table.rows() * inputs > 10 * caps::cells)
    throw Error(fmt::format("{}: more than {} numbers in all; leave columns of words out",
                            one_line(table.name), 10 * caps::cells));
  result.inputs = bnn::Matrix(table.rows(), inputs);
  result.targets.assign(table.rows(), 0);
  const auto place = [](const std::vector<std::string>& words, const std::string& word) {
    const auto found = std::ranges::find(words, word);
    return found == words.end() ? std::optional<std::size_t>()
                                : static_cast<std::size_t>(found - words.begin());
  };
  const auto unseen = [&](std::size_t row, std::size_t column,
                          const std::vector<std::string>& words) {
    if (is_missing(table.cell(row, column))) fail_missing(table, row, column);
    std::string known;
    for (std::size_t k = 0; k < words.size() && k < 8; ++k)
      known += (k > 0 ? ", " : "") + one_line(words[k]);
    if (words.size() > 8) known += ", ...";
    fail_cell(table, row, column,
              fmt::format("'{}' was not among the training rows; they had {}",
                          one_line(table.cell(row, column)), known));
  };
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::vector<std::string>& words = schema.features[j].categories;
      if (words.empty()) {
        result.inputs.at(i, at++) = number_at(table, i, columns[j]);
        continue;
      }
      const auto found = place(words, table.cell(i, columns[j]));
      if (!found) unseen(i, columns[j], words);
      result.inputs.at(i, at + *found) = 1;
      at += words.size();
    }
  }
  if (!targets) return result;
  const std::size_t target = column_index(table, schema.target, ", which is the target");
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (schema.classes.empty()) {
      result.targets[i] = number_at(table, i, target);
      continue;
    }
    const auto found = place(schema.classes, table.cell(i, target));
    if (!found) unseen(i, target, schema.classes);
    result.targets[i] = static_cast<double>(*found);
  }
  return result;
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

std::vector<std::string> input_names(const Schema& schema) {
  std::vector<std::string> result;
  for (const Feature& feature : schema.features) {
    if (feature.categories.empty()) result.push_back(feature.name);
    for (const std::string& word : feature.categories) result.push_back(feature.name + "=" + word);
  }
  return result;
}

}  // namespace wmi::frontends
