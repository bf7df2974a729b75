#include "frontends/ciber/joint_unknown.h"

#include <charconv>
#include <vector>

#include "frontends/common/read_file.h"
#include "frontends/common/text.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using Rows = std::vector<std::vector<Rational>>;

constexpr std::string_view spaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(spaces);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(spaces) - from + 1);
}

/// The parts between the commas that are in no brackets.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> result;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] != ',' || depth > 0) continue;
    result.push_back(trimmed(text.substr(from, i - from)));
    from = i + 1;
  }
  result.push_back(trimmed(text.substr(from)));
  return result;
}

/// `fc2.weight[0,0..4]`: five names.
void expand(std::string_view name, std::vector<std::string>& names) {
  constexpr std::size_t most = 1000;
  const std::size_t dots = name.find("..");
  if (dots == std::string_view::npos) {
    names.emplace_back(name);
    return;
  }
  const std::size_t before = name.find_last_of("[,", dots), after = name.find_first_of(",]", dots);
  std::size_t from = 0, to = 0;
  const auto number = [&](std::size_t begin, std::size_t end, std::size_t& value) {
    const auto [stop, error] = std::from_chars(name.data() + begin, name.data() + end, value);
    return error == std::errc() && stop == name.data() + end && begin < end;
  };
  if (before == std::string_view::npos || after == std::string_view::npos ||
      !number(before + 1, dots, from) || !number(dots + 2, after, to) || from > to ||
      name.find("..", after) != std::string_view::npos)
    throw Error("'" + shortened(name) + "': write a range of entries as in fc2.weight[0,0..4]");
  if (to - from >= most)
    throw Error("'" + shortened(name) + "': more than " + std::to_string(most) + " entries");
  for (std::size_t i = from; i <= to; ++i)
    names.push_back(std::string(name.substr(0, before + 1)) + std::to_string(i) +
                    std::string(name.substr(after)));
}

/// The inside of brackets.
std::string_view inside(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']'))
    throw Error("'" + shortened(text) + "': expected numbers in brackets, [1, 2], or a file");
  return text.substr(1, text.size() - 2);
}

std::vector<Rational> numbers(std::string_view text) {
  std::vector<Rational> result;
  if (trimmed(text).empty()) return result;
  for (const std::string_view part : parts(text)) result.push_back(parse_fraction(part));
  return result;
}

/// Of a file: one row for each line that has numbers.
Rows rows_in_file(const std::string& file) {
  const std::string text = read_file(file);
  Rows result;
  std::size_t line = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++line;
    const std::size_t end = rest.find('\n');
    std::string_view row = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    std::vector<Rational> found;
    while (!(row = trimmed(row)).empty()) {
      const std::size_t stop = row.find_first_of(", \t");
      try {
        found.push_back(parse_fraction(row.substr(0, stop)));
      } catch (const Error& error) {
        throw Error(file + ":" + std::to_string(line) + ": " + error.what());
      }
      if (stop == std::string_view::npos) break;
      row = trimmed(row.substr(stop));
      if (row.starts_with(',')) row.remove_prefix(1);
    }
    if (!found.empty()) result.push_back(std::move(found));
  }
  return result;
}

Rows rows(std::string_view text) {
  if (!text.starts_with('[')) return rows_in_file(std::string(text));
  Rows result;
  for (const std::string_view row : parts(inside(text))) result.push_back(numbers(inside(row)));
  return result;
}

std::vector<Rational> vector(std::string_view text) {
  if (text.starts_with('[')) return numbers(inside(text));
  std::vector<Rational> result;
  for (const std::vector<Rational>& row : rows_in_file(std::string(text)))
    result.insert(result.end(), row.begin(), row.end());
  return result;
}

bool is_number(std::string_view text) {
  try {
    parse_fraction(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Of `normal(...)`; empty for any other law.
std::vector<std::string_view> arguments_of(std::string_view law) {
  constexpr std::string_view name = "normal(";
  law = trimmed(law);
  if (!law.starts_with(name) || !law.ends_with(')')) return {};
  return parts(law.substr(name.size(), law.size() - name.size() - 1));
}

}  // namespace

bool is_joint_normal(std::string_view law) {
  const std::vector<std::string_view> arguments = arguments_of(law);
  return !arguments.empty() && !arguments[0].empty() && !is_number(arguments[0]);
}

std::optional<encoders::JointNormal> read_joint_normal(std::string_view names,
                                                       std::string_view law) {
  encoders::JointNormal result;
  for (const std::string_view one : parts(names)) expand(one, result.names);
  const bool joint = is_joint_normal(law);
  if (!joint && result.names.size() == 1) return std::nullopt;
  const std::vector<std::string_view> arguments = arguments_of(law);
  if (!joint || arguments.size() != 2)
    throw Error(
        "the joint law of several entries is normal(MEANS, COVARIANCE), as in "
        "normal([0,0], [[1,1/2],[1/2,1]]); each may be a file");
  result.mean = vector(arguments[0]);
  result.covariance = rows(arguments[1]);
  return result;
}

}  // namespace wmi::frontends
