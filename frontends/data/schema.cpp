#include "frontends/data/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

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

bool is_infinite(std::string_view cell) {
  const std::string word =
      lower(cell.starts_with('-') || cell.starts_with('+') ? cell.substr(1) : cell);
  return word == "inf" || word == "infinity";
}

[[noreturn]] void fail_missing(const Table& table, std::size_t row, std::size_t column) {
  const std::string& cell = table.cell(row, column);
  std::size_t others = 0;
  for (std::size_t i = 0; i < table.rows() && others < 2; ++i)
    others += is_missing(table.cell(i, column)) ? 1 : 0;
  fail_cell(table, row, column,
            fmt::format("a missing value{}{}; fill it in or take the row or column out",
                        cell.empty() ? "" : " (" + one_line(cell) + ")",
                        others > 1 ? ", one of several in this column" : ""));
}

double number_at(const Table& table, std::size_t row, std::size_t column) {
  const std::string& cell = table.cell(row, column);
  if (const std::optional<double> value = cell_number(cell)) return *value;
  if (is_missing(cell)) fail_missing(table, row, column);
  if (is_infinite(cell)) fail_cell(table, row, column, "'" + one_line(cell) + "' is not finite");
  const bool comma = std::ranges::count(cell, ',') == 1;
  fail_cell(table, row, column,
            fmt::format("'{}' is no number{}", one_line(cell),
                        comma ? "; decimals are written with a point" : ""));
}

/// A word of a long table is rare if it is in fewer than one of so many rows.
constexpr std::size_t rare_share = 200;
constexpr double days_per_year = 365.2425;

/// The distinct words of a column, sorted, as numbers if all are numbers. With `other`, missing
/// words may be there and rare words are left out, and it is set if there are such; without, they
/// throw or stay.
std::vector<std::string> words_of(const Table& table, std::size_t column, bool* other = nullptr) {
  std::set<std::string> words;
  std::map<std::string, std::size_t> counts;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string& cell = table.cell(i, column);
    if (is_missing(cell)) {
      if (other == nullptr) fail_missing(table, i, column);
      *other = true;
      continue;
    }
    ++counts[cell];
    words.insert(cell);
    if (words.size() > caps::words)
      fail_cell(table, i, column,
                fmt::format("more than {} different words; leave the column out, or turn it into "
                            "numbers",
                            caps::words.value()));
  }
  std::vector<std::string> result(words.begin(), words.end());
  const auto rare = [&](const std::string& word) {
    return counts[word] * rare_share < table.rows();
  };
  if (other != nullptr && !std::ranges::all_of(result, rare) && std::erase_if(result, rare) > 0)
    *other = true;
  if (std::ranges::all_of(result, [](const std::string& word) { return bool(cell_number(word)); }))
    std::ranges::stable_sort(result, {},
                             [](const std::string& word) { return *cell_number(word); });
  return result;
}

/// True if most entries of a column are not numbers.
bool has_words(const Table& table, std::size_t column) {
  std::size_t numbers = 0, words = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string& cell = table.cell(i, column);
    if (is_missing(cell)) continue;
    ++(cell_number(cell) || is_infinite(cell) ? numbers : words);
  }
  return words > numbers;
}

/// True if every entry of a column is a date or missing, and some are dates.
bool has_dates(const Table& table, std::size_t column) {
  bool some = false;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string& cell = table.cell(i, column);
    if (is_missing(cell)) continue;
    if (!date_days(cell)) return false;
    some = true;
  }
  return some;
}

double value_at(const Table& table, std::size_t row, std::size_t column, bool date) {
  if (!date) return number_at(table, row, column);
  const std::string& cell = table.cell(row, column);
  if (const std::optional<double> days = date_days(cell)) return *days;
  if (is_missing(cell)) fail_missing(table, row, column);
  fail_cell(table, row, column,
            fmt::format("'{}' is no date; dates are written 2024-02-29", one_line(cell)));
}

/// The median of the numbers or dates of a column if some are missing, else nullopt.
std::optional<double> median_of(const Table& table, std::size_t column, bool date) {
  std::vector<double> values;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (!is_missing(table.cell(i, column))) values.push_back(value_at(table, i, column, date));
  if (values.size() == table.rows()) return std::nullopt;
  if (values.empty()) fail_missing(table, 0, column);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The periods of the waves of a column of numbers: twice its range, its range, half of it, ...
std::vector<double> wave_periods(const Table& table, std::size_t column, std::size_t count) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (!is_missing(table.cell(i, column))) {
      const double value = number_at(table, i, column);
      least = std::min(least, value);
      most = std::max(most, value);
    }
  std::vector<double> result;
  double period = 2 * (most - least);
  for (std::size_t k = 0; k < count && std::isnormal(period); ++k, period /= 2)
    result.push_back(period);
  return result;
}

bool is_constant(const Table& table, std::size_t column) {
  for (std::size_t i = 1; i < table.rows(); ++i)
    if (table.cell(i, column) != table.cell(0, column)) return false;
  return true;
}

/// The range of the values if they are few whole numbers, else nullopt.
std::optional<WholeNumbers> whole_numbers(const std::set<double>& values) {
  constexpr double most_values = 200;
  const auto whole = [](double value) {
    return std::abs(value) < 1e9 && value == std::floor(value);
  };
  if (!std::ranges::all_of(values, whole) || *values.rbegin() - *values.begin() >= most_values)
    return std::nullopt;
  return WholeNumbers{*values.begin(), *values.rbegin()};
}

/// Encodes rows of a table by a schema, one by one.
class RowEncoder {
 public:
  /// Throws Error if a column is missing.
  RowEncoder(const Table& table, const Schema& schema, bool targets)
      : table_(table), schema_(schema) {
    for (const Feature& feature : schema.features)
      columns_.push_back(column_index(table, feature.name, ", which the network reads"));
    if (targets) target_ = column_index(table, schema.target, ", which is the target");
  }

  /// Zeros, for all rows. Throws Error if there would be too many numbers.
  bnn::Dataset empty_rows() const {
    const std::size_t inputs = input_count(schema_);
    if (table_.rows() * inputs > 10 * caps::cells)
      throw Error(fmt::format("{}: more than {} numbers in all; leave columns of words out",
                              one_line(table_.name), 10 * caps::cells));
    return {bnn::Matrix(table_.rows(), inputs), std::vector<double>(table_.rows())};
  }

  /// Throws Error that names line and column.
  void encode_inputs(std::size_t row, std::span<double> to) const {
    std::size_t at = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Feature& feature = schema_.features[j];
      const std::span<double> part = to.subspan(at, input_count(feature));
      at += part.size();
      if (!feature.categories.empty()) {
        part[feature.other ? place_or_other(row, columns_[j], feature.categories)
                           : place(row, columns_[j], feature.categories)] = 1;
        continue;
      }
      const bool missing = feature.median && is_missing(table_.cell(row, columns_[j]));
      part[0] = missing ? *feature.median : value_at(table_, row, columns_[j], feature.date);
      if (feature.median) part.back() = missing ? 1 : 0;
      std::size_t next = 1;
      const auto add_wave = [&](double period) {
        const double angle = 2 * std::numbers::pi * (part[0] / period);
        part[next++] = std::sin(angle);
        part[next++] = std::cos(angle);
      };
      if (feature.date) add_wave(days_per_year);
      for (const double period : feature.periods) add_wave(period);
    }
  }

  /// A line for each column with words that share the input of other words, but for `broken` rows.
  std::vector<std::string> other_words(const std::map<std::size_t, std::string>& broken) const {
    std::vector<std::string> result;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Feature& feature = schema_.features[j];
      if (!feature.other) continue;
      std::size_t rows = 0;
      std::string example;
      for (std::size_t i = 0; i < table_.rows(); ++i) {
        const std::string& cell = table_.cell(i, columns_[j]);
        if (broken.contains(i) || is_missing(cell) ||
            std::ranges::find(feature.categories, cell) != feature.categories.end())
          continue;
        if (++rows == 1) example = one_line(cell);
      }
      if (rows > 0)
        result.push_back(
            fmt::format("column '{}': '{}'{} not among the training rows, or rarely; "
                        "it is taken as rare and missing words are",
                        one_line(feature.name), example,
                        rows == 1 ? " was" : fmt::format(", one of {} such cells, was", rows)));
    }
    return result;
  }

  bool misses_target(std::size_t row) const { return is_missing(table_.cell(row, target_)); }

  double target(std::size_t row) const {
    return schema_.classes.empty() ? number_at(table_, row, target_)
                                   : static_cast<double>(place(row, target_, schema_.classes));
  }

 private:
  std::size_t place_or_other(std::size_t row, std::size_t column,
                             const std::vector<std::string>& words) const {
    const auto found = std::ranges::find(words, table_.cell(row, column));
    return static_cast<std::size_t>(found - words.begin());
  }

  /// The number of a cell's word.
  std::size_t place(std::size_t row, std::size_t column,
                    const std::vector<std::string>& words) const {
    const auto found = std::ranges::find(words, table_.cell(row, column));
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    if (is_missing(table_.cell(row, column))) fail_missing(table_, row, column);
    std::string known;
    for (std::size_t k = 0; k < words.size() && k < 8; ++k)
      known += (k > 0 ? ", " : "") + one_line(words[k]);
    if (words.size() > 8) known += ", ...";
    fail_cell(table_, row, column,
              fmt::format("'{}' was not among the training rows; they had {}",
                          one_line(table_.cell(row, column)), known));
  }

  const Table& table_;
  const Schema& schema_;
  std::vector<std::size_t> columns_;
  std::size_t target_ = 0;
};

}  // namespace

std::size_t input_count(const Feature& feature) {
  if (!feature.categories.empty()) return feature.categories.size() + (feature.other ? 1 : 0);
  return (feature.date ? 3 : 1) + 2 * feature.periods.size() + (feature.median ? 1 : 0);
}

std::size_t input_count(const Schema& schema) {
  std::size_t result = 0;
  for (const Feature& feature : schema.features) result += input_count(feature);
  return result;
}

std::optional<double> date_days(std::string_view cell) {
  const auto number = [&](std::size_t from, std::size_t count) -> std::optional<int> {
    int result = 0;
    if (from + count > cell.size()) return std::nullopt;
    for (const char c : cell.substr(from, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      result = 10 * result + (c - '0');
    }
    return result;
  };
  const auto is = [&](std::size_t at, std::string_view any) {
    return at < cell.size() && any.find(cell[at]) != std::string_view::npos;
  };
  const auto year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (!year || !month || !day || !is(4, "-") || !is(7, "-")) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (cell.ends_with('Z')) cell.remove_suffix(1);
  if (cell.size() == 10) return days;
  const auto hours = number(11, 2), minutes = number(14, 2);
  const auto seconds = cell.size() == 16 ? std::optional(0) : number(17, 2);
  if (!is(10, " T") || !hours || !is(13, ":") || !minutes || !seconds || *hours > 23 ||
      *minutes > 59 || *seconds > 60 || (cell.size() != 16 && (cell.size() != 19 || !is(16, ":"))))
    return std::nullopt;
  return days + (*hours + (*minutes + *seconds / 60.0) / 60.0) / 24.0;
}

std::string date_text(double days) {
  const double whole = std::floor(days), minutes = std::round((days - whole) * 24 * 60);
  if (minutes == 24 * 60) return date_text(whole + 1);
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(std::clamp(whole, -1e6, 4e6))))};
  const int year = static_cast<int>(date.year());
  if (!(year >= 0 && year <= 9999)) return fmt::format("{:.6g}", days);
  std::string result = fmt::format("{:04}-{:02}-{:02}", year, static_cast<unsigned>(date.month()),
                                   static_cast<unsigned>(date.day()));
  if (minutes > 0)
    result +=
        fmt::format(" {:02}:{:02}", static_cast<int>(minutes) / 60, static_cast<int>(minutes) % 60);
  return result;
}

std::vector<std::string> input_names(const Schema& schema) {
  std::vector<std::string> result;
  for (const Feature& feature : schema.features) {
    if (feature.categories.empty()) result.push_back(feature.name);
    if (feature.date) {
      result.push_back(feature.name + " (season, sine)");
      result.push_back(feature.name + " (season, cosine)");
    }
    for (const double period : feature.periods)
      for (const char* const wave : {"sine", "cosine"})
        result.push_back(fmt::format("{} (period {}, {})", feature.name, period, wave));
    if (feature.median) result.push_back(feature.name + " (missing)");
    for (const std::string& word : feature.categories) result.push_back(feature.name + "=" + word);
    if (feature.other) result.push_back(feature.name + "=(other)");
  }
  return result;
}

Schema fit_schema(const Table& table, const SchemaRequest& request,
                  const std::function<void(const std::string&)>& warn) {
  const std::size_t target = column_index(table, request.target, ", which is the target");
  std::set<std::size_t> ignored, categorical;
  for (const std::string& name : request.ignored)
    ignored.insert(column_index(table, name, " to ignore"));
  for (const std::string& name : request.categorical)
    categorical.insert(column_index(table, name, " of categories"));
  std::map<std::size_t, double> periods;
  for (const auto& [name, period] : request.periods) {
    const std::size_t column = column_index(table, name, ", which has a period");
    if (column == target || ignored.contains(column))
      throw Error(fmt::format("{}: column '{}' has a period, and is no input", one_line(table.name),
                              one_line(name)));
    periods.emplace(column, period);
  }
  if (table.decimal_commas) warn("numbers with a decimal comma are read as if with a point");
  Schema schema;
  schema.target = request.target;
  const bool words = has_words(table, target);
  const bool classes =
      request.task == LearningTask::classification ||
      (request.task == LearningTask::automatic && (words || categorical.contains(target)));
  if (is_constant(table, target)) {
    if (is_missing(table.cell(0, target))) fail_missing(table, 0, target);
    throw Error(fmt::format("{}: the target '{}' is always {}: there is nothing to learn",
                            one_line(table.name), one_line(request.target),
                            one_line(table.cell(0, target))));
  }
  if (classes) {
    schema.classes = words_of(table, target);
  } else {
    std::set<double> values;
    for (std::size_t i = 0; i < table.rows(); ++i) values.insert(number_at(table, i, target));
    schema.whole = whole_numbers(values);
    if (values.size() == 2 && request.task == LearningTask::automatic)
      warn(
          fmt::format("the target '{}' has two values only; the task classification takes "
                      "them as classes",
                      one_line(request.target)));
  }
  std::size_t inputs = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (j == target || ignored.contains(j)) continue;
    Feature feature{table.columns[j], {}};
    if (!categorical.contains(j) && has_dates(table, j)) {
      feature.date = true;
      feature.median = median_of(table, j, true);
    } else if (categorical.contains(j) || has_words(table, j)) {
      feature.categories = words_of(table, j, &feature.other);
      if (feature.categories.empty()) fail_missing(table, 0, j);
      if (const std::string& word = feature.categories.front();
          std::ranges::all_of(feature.categories,
                              [](const std::string& each) {
                                return cell_number(each) || decimal_comma_number(each);
                              }) &&
          !categorical.contains(j))
        throw Error(fmt::format(
            "{}: column '{}' has numbers with a comma, such as '{}'; write decimals with a point, "
            "or separate cells by semicolons",
            one_line(table.name), one_line(feature.name), one_line(word)));
      if (feature.categories.size() == table.rows() && table.rows() > 2)
        warn(
            fmt::format("column '{}' has another word in every row: it tells rows apart and says "
                        "nothing of new ones; ignore it as an input",
                        one_line(feature.name)));
    } else {
      feature.median = median_of(table, j, false);
      feature.periods = wave_periods(table, j, request.waves);
    }
    if (const auto period = periods.find(j); period != periods.end()) {
      if (!feature.categories.empty())
        throw Error(fmt::format("{}: column '{}' has words, so that it has no period",
                                one_line(table.name), one_line(feature.name)));
      feature.periods.push_back(period->second);
    }
    if (feature.median)
      warn(
          fmt::format("column '{}': missing values are replaced by the median, and an input marks "
                      "them",
                      one_line(feature.name)));
    if (feature.other)
      warn(fmt::format("column '{}': rare and missing words are taken as one",
                       one_line(feature.name)));
    if (is_constant(table, j))
      warn(fmt::format("column '{}' is always {}: it says nothing", one_line(feature.name),
                       one_line(table.cell(0, j))));
    inputs += input_count(feature);
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
  const RowEncoder encoder(table, schema, targets);
  bnn::Dataset result = encoder.empty_rows();
  for (std::size_t i = 0; i < table.rows(); ++i) encoder.encode_inputs(i, result.inputs.row(i));
  if (targets)
    for (std::size_t i = 0; i < table.rows(); ++i) result.targets[i] = encoder.target(i);
  return result;
}

ReadRows read_rows(const Table& table, const Schema& schema) {
  const bool targets = std::ranges::find(table.columns, schema.target) != table.columns.end();
  const RowEncoder encoder(table, schema, targets);
  ReadRows result{encoder.empty_rows(), table.broken};
  if (!targets) result.data.targets.clear();
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (result.errors.contains(i)) continue;
    try {
      encoder.encode_inputs(i, result.data.inputs.row(i));
      if (targets)
        result.data.targets[i] =
            encoder.misses_target(i) ? std::numeric_limits<double>::quiet_NaN() : encoder.target(i);
    } catch (const Error& error) {
      std::ranges::fill(result.data.inputs.row(i), 0);
      result.errors.emplace(i, error.what());
    }
  }
  result.other_words = encoder.other_words(result.errors);
  return result;
}

}  // namespace wmi::frontends
