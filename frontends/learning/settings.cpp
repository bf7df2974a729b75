#include "frontends/learning/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "frontends/formats/json.h"
#include "frontends/networks/files.h"
#include "frontends/networks/json_writer.h"
#include "frontends/wmi/line.h"
#include "frontends/wmi/options.h"
#include "solver/error.h"

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
  if (!config.empty()) read_config(config);
  for (auto& [name, value] : line) set("--" + name, name, std::move(value));
}

void Settings::set(std::string_view origin, const std::string& name, std::string value) {
  if (!find(table_, name))
    throw UsageError(fmt::format("{}: no setting '{}'{}", one_line(std::string(origin)),
                                 one_line(name), nearest(table_, name)));
  given_[name] = value;
  values_[name] = std::move(value);
}

void Settings::read_config(const std::string& file) {
  const std::string text = read_bytes(file);
  try {
    const Json json(text);
    const Json::Value root = json.root();
    root.expect(Json::Kind::object, "an object of settings");
    for (const Json::Value& member : root.items()) {
      if (!find(table_, member.key()))
        throw Error(
            fmt::format("no setting '{}'{}", one_line(member.key()), nearest(table_, member.key())),
            member.key_where());
      if (member.kind() == Json::Kind::object || member.kind() == Json::Kind::null)
        throw Error(fmt::format("'{}': expected a number, a word or true", member.key()),
                    member.where());
      std::string value;
      if (member.kind() == Json::Kind::array) {
        for (const Json::Value& item : member.items())
          value += (value.empty() ? "" : ",") + item.text();
      } else {
        value = member.text();
      }
      if (value == "false" && member.kind() == Json::Kind::boolean) continue;
      if (find(table_, member.key())->argument.empty() && value != "true")
        throw Error(fmt::format("'{}': expected true or false", member.key()), member.where());
      if (value.empty())
        throw Error(fmt::format("'{}': needs a value", member.key()), member.where());
      set(file, member.key(), std::move(value));
    }
  } catch (const Error& error) {
    const Location where = error.where();
    throw UsageError(where.line == 0 ? fmt::format("{}: {}", one_line(file), error.what())
                                     : fmt::format("{}:{}:{}: {}", one_line(file), where.line,
                                                   where.column, error.what()));
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

std::string Settings::config() const {
  std::string result = "{";
  for (const Setting& setting : table_) {
    if (setting.name == "print-config") continue;
    const std::string& value = text(setting.name);
    if (value.empty()) continue;
    result += fmt::format("{}\n  {}: {}", result.size() > 1 ? "," : "",
                          json_string(std::string(setting.name)),
                          setting.argument.empty() ? value : json_string(value));
  }
  return result + "\n}\n";
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
