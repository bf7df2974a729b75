#include "frontends/cli/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <utility>

#include "frontends/cli/config_formats.h"
#include "frontends/cli/suggestion.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"

namespace wmi::frontends {
namespace {

/// A number that is written alike in JSON and in TOML, where integers have 64 bits.
bool is_number(std::string_view text) {
  std::string_view rest = text;
  const auto digits = [&] {
    const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(count);
    return count;
  };
  const auto take = [&](std::string_view letters) {
    const bool there = !rest.empty() && letters.find(rest[0]) != std::string_view::npos;
    if (there) rest.remove_prefix(1);
    return there;
  };
  take("-");
  const bool zero = rest.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  const bool is_float = rest.starts_with('.') || rest.starts_with('e') || rest.starts_with('E');
  if (take(".") && digits() == 0) return false;
  if (take("eE")) {
    take("+-");
    if (digits() == 0) return false;
  }
  if (!rest.empty()) return false;
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  double number = 0;
  return (is_float ? std::from_chars(text.data(), end, number).ec
                   : std::from_chars(text.data(), end, integer).ec) == std::errc();
}

std::string unknown_section(std::string_view section, std::span<const std::string_view> sections) {
  const std::string_view meant = suggestion(section, sections);
  return fmt::format("there is no command '{}'{}", one_line(section),
                     meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant));
}

}  // namespace

std::vector<ConfigEntry> parse_config(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  std::vector<ConfigEntry> result = first != std::string_view::npos && text[first] == '{'
                                        ? parse_config_json(text)
                                        : parse_config_toml(text);
  std::set<std::pair<std::string, std::string>> seen;
  for (const ConfigEntry& entry : result)
    if (!seen.emplace(entry.section, entry.name).second)
      throw Error(fmt::format("'{}' is given twice", one_line(entry.name)), entry.where);
  return result;
}

std::vector<ConfigEntry> read_config(const std::string& file, std::string_view command,
                                     std::span<const std::string_view> sections) {
  try {
    std::vector<ConfigEntry> own, general;
    for (ConfigEntry& entry : parse_config(read_file(file))) {
      if (entry.section.empty())
        general.push_back(std::move(entry));
      else if (!sections.empty() && std::ranges::find(sections, entry.section) == sections.end())
        throw Error(unknown_section(entry.section, sections), entry.where);
      else if (entry.section == command)
        own.push_back(std::move(entry));
    }
    std::set<std::string> names;
    for (const ConfigEntry& entry : own) names.insert(entry.name);
    for (ConfigEntry& entry : general)
      if (!names.contains(entry.name)) own.push_back(std::move(entry));
    return own;
  } catch (const Error& error) {
    throw UsageError(message(file, error.where(), error.what()));
  }
}

std::string config_value(const std::string& text) {
  return is_number(text) ? text : json_string(text);
}

}  // namespace wmi::frontends
