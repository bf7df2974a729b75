#include "frontends/cli/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "frontends/cli/config.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

const Setting* find(std::span<const Setting> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Setting::name);
  return found == table.end() ? nullptr : &*found;
}

/// The option of the table that is nearest to a misspelt one, as a hint; nothing when none is near.
std::string nearest(std::span<const Setting> table, std::string_view name) {
  const auto distance = [&](std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t corner = row[0]++;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t above = row[j];
        row[j] =
            std::min({above + 1, row[j - 1] + 1, corner + (name[i - 1] == other[j - 1] ? 0u : 1u)});
        corner = above;
      }
    }
    return row.back();
  };
  const Setting* best = nullptr;
  for (const Setting& setting : table)
    if (distance(setting.name) <= 2 && (!best || distance(setting.name) < distance(best->name)))
      best = &setting;
  return best ? fmt::format("; did you mean --{}?", best->name) : "; see --help";
}

}  // namespace

Settings::Settings(std::string_view command, std::span<const Setting> table,
                   const std::vector<std::string>& arguments)
    : table_(table) {
  std::string config;
  std::map<std::string, std::string, std::less<>> line;
  bool only_words = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (only_words || word.size() < 2 || word[0] != '-') {
      words_.push_back(word);
      continue;
    }
    if (word == "--") {
      only_words = true;
      continue;
    }
    const std::size_t sign = word.find('=');
    const std::string option = word.substr(0, sign);
    const Setting* const setting =
        option.starts_with("--") ? find(table, option.substr(2)) : nullptr;
    if (!setting && option != "--config")
      throw UsageError(fmt::format(
          "{}: 'ciber {}' has no such option{}", one_line(option), command,
          option.starts_with("--") ? nearest(table, option.substr(2)) : "; see --help"));
    std::string value;
    if (setting && setting->argument.empty()) {
      if (sign != std::string::npos) throw UsageError(option + ": takes no value");
      value = "true";
    } else if (sign != std::string::npos) {
      value = word.substr(sign + 1);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    }
    if (value.empty()) throw UsageError(option + ": needs a value");
    if (!setting) {
      config = value;
    } else if (!line.emplace(setting->name, value).second) {
      throw UsageError(option + ": given twice");
    }
  }
  for (const Setting& setting : table)
    if (!setting.standard.empty()) values_.emplace(setting.name, setting.standard);
  if (!config.empty()) read_settings(config, command);
  for (auto& [name, value] : line) set(name, std::move(value));
}

void Settings::set(const std::string& name, std::string value) {
  given_[name] = value;
  values_[name] = std::move(value);
}

void Settings::read_settings(const std::string& file, std::string_view command) {
  for (const ConfigEntry& entry : read_config(file, command)) {
    const auto refuse = [&](const std::string& what) {
      throw UsageError(
          fmt::format("{}:{}:{}: {}", one_line(file), entry.where.line, entry.where.column, what));
    };
    if (entry.name == words_name) {
      if (words_.empty()) words_ = entry.values;
      continue;
    }
    const Setting* const setting = find(table_, entry.name);
    if (!setting)
      refuse(fmt::format("no setting '{}'{}", one_line(entry.name), nearest(table_, entry.name)));
    std::string value = fmt::format("{}", fmt::join(entry.values, ","));
    if (setting->argument.empty() && !entry.boolean)
      refuse(fmt::format("'{}' is true or false", entry.name));
    if (entry.boolean && setting->argument == "yes|no")
      value = value == "true" ? "yes" : "no";
    else if (setting->argument.empty() && value == "false")
      continue;
    if (value.empty()) refuse(fmt::format("'{}' needs a value", entry.name));
    set(entry.name, std::move(value));
  }
}

const std::string& Settings::text(std::string_view name) const {
  static const std::string none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

double Settings::number(std::string_view name, double least, double most) const {
  const std::string& value = text(name);
  double result = 0;
  const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || stop != value.data() + value.size() || !(result >= least) ||
      !(result <= most))
    throw UsageError(
        fmt::format("--{}: '{}' is no number from {} to {}", name, one_line(value), least, most));
  return result;
}

std::size_t Settings::count(std::string_view name, std::size_t least, std::size_t most) const {
  const std::string& value = text(name);
  std::size_t result = 0;
  const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || stop != value.data() + value.size() || result < least ||
      result > most)
    throw UsageError(fmt::format("--{}: '{}' is no whole number from {} to {}", name,
                                 one_line(value), least, most));
  return result;
}

std::vector<std::size_t> Settings::counts(std::string_view name) const {
  std::vector<std::size_t> result;
  const std::string& value = text(name);
  for (const char* at = value.data(); !value.empty();) {
    std::size_t count = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(at, end, count);
    if (error != std::errc() || count == 0 || (stop != end && *stop != ','))
      throw UsageError(fmt::format("--{}: '{}' is no list of numbers above 0, such as 50,20", name,
                                   one_line(value)));
    result.push_back(count);
    if (stop == end) break;
    at = stop + 1;
  }
  return result;
}

std::string Settings::choice(std::string_view name,
                             std::span<const std::string_view> choices) const {
  const std::string& value = text(name);
  if (std::ranges::find(choices, value) != choices.end()) return value;
  throw UsageError(
      fmt::format("--{}: no '{}'; choose {}", name, one_line(value), fmt::join(choices, ", ")));
}

std::string Settings::json() const {
  std::string result = "{";
  const auto add = [&](std::string_view name, const std::string& value) {
    result += fmt::format("{}\n  {}: {}", result.size() > 1 ? "," : "",
                          json_string(std::string(name)), value);
  };
  if (!words_.empty()) add(words_name, words_value());
  for (const Setting& setting : table_) {
    const std::string& value = text(setting.name);
    if (!value.empty() && !setting.name.starts_with("print-"))
      add(setting.name, setting.argument.empty() ? value : config_value(value));
  }
  return result + "\n}\n";
}

std::string Settings::toml() const {
  std::string result = words_.empty() ? "" : fmt::format("{} = {}\n", words_name, words_value());
  for (const Setting& setting : table_) {
    if (setting.name.starts_with("print-")) continue;
    const std::string& value = text(setting.name);
    const bool has_argument = !setting.argument.empty();
    result += fmt::format("\n# {}{}{}\n", has_argument ? setting.argument : "",
                          has_argument ? ": " : "", setting.description);
    // What has no value stands there as a comment, to be filled in.
    result += value.empty() ? fmt::format("# {} = {}\n", setting.name, has_argument ? "" : "true")
                            : fmt::format("{} = {}\n", setting.name,
                                          has_argument ? config_value(value) : value);
  }
  return result;
}

std::string Settings::words_value() const {
  std::string result;
  for (const std::string& word : words_) result += (result.empty() ? "" : ", ") + json_string(word);
  return "[" + result + "]";
}

std::string described(std::span<const Setting> table) {
  constexpr std::size_t left = 26, width = 100;
  std::string result;
  for (const Setting& setting : table) {
    std::string line = fmt::format("  --{}{}{}", setting.name, setting.argument.empty() ? "" : " ",
                                   setting.argument);
    line = line.size() + 2 > left ? line + "  " : fmt::format("{:<{}}", line, left);
    std::string text(setting.description);
    if (!setting.standard.empty()) text += fmt::format(" (default: {})", setting.standard);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t space = text.find(' ', at);
      const std::string word = text.substr(at, space - at);
      if (line.size() > left && line.size() + word.size() > width) {
        while (line.back() == ' ') line.pop_back();
        result += line + "\n";
        line = std::string(left, ' ');
      }
      line += word + " ";
      at = space == std::string::npos ? text.size() : space + 1;
    }
    while (line.back() == ' ') line.pop_back();
    result += line + "\n";
  }
  return result;
}

}  // namespace wmi::frontends
