#include "frontends/cli/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "frontends/cli/config.h"
#include "frontends/cli/numbers.h"
#include "frontends/cli/suggestion.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"

namespace wmi::frontends {
namespace {

/// `; did you mean --epochs?`
std::string hint(std::span<const Setting> table, std::string_view misspelt) {
  std::vector<std::string_view> names;
  for (const Setting& setting : table) names.push_back(setting.name);
  const std::string_view meant = suggestion(misspelt, names);
  return meant.empty() ? "; see --help" : fmt::format("; did you mean --{}?", meant);
}

/// Settings of one call, which a configuration file does not have.
bool of_the_call(std::string_view name) {
  return name == "config" || name == "print-config" || name == "print-toml" || name == "version" ||
         name == "help";
}

/// A setting that the program itself asks for.
const Setting& declared(std::span<const Setting> table, std::string_view name) {
  const Setting* const setting = find(table, name);
  assert(setting != nullptr);
  return *setting;
}

/// `train` of `ciber train`
std::string_view last_word(std::string_view command) {
  return command.substr(command.rfind(' ') + 1);
}

}  // namespace

Settings::Settings(std::string_view command, std::span<const Setting> table,
                   const std::vector<std::string>& arguments,
                   std::span<const std::string_view> sections)
    : table_(table) {
  for (const Setting& setting : table)
    if (!setting.standard.empty()) values_.emplace(setting.name, setting.standard);
  read_line(command, arguments);
  if (const std::string file = text("config"); !file.empty())
    read_file(file, last_word(command), sections);
}

void Settings::read_line(std::string_view command, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      words_.insert(words_.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    arguments.end());
      return;
    }
    if (word.size() < 2 || word[0] != '-') {
      words_.push_back(word);
      continue;
    }
    const std::size_t sign = word.find('=');
    const std::string option = word.substr(0, sign);
    const bool is_long = option.starts_with("--");
    const Setting* const setting = is_long ? find(table_, option.substr(2)) : nullptr;
    if (setting == nullptr)
      throw UsageError(fmt::format("{}: '{}' has no such option{}", one_line(option), command,
                                   is_long ? hint(table_, option.substr(2)) : "; see --help"));
    std::string value = "true";
    if (setting->argument.empty()) {
      if (sign != std::string::npos) throw UsageError(option + ": takes no value");
    } else {
      if (sign == std::string::npos && ++i == arguments.size())
        throw UsageError(option + ": needs a value; see --help");
      value = sign == std::string::npos ? arguments[i] : word.substr(sign + 1);
      if (const auto wrong = mistake(*setting, value)) throw UsageError(option + ": " + *wrong);
    }
    if (setting->repeat == Repeat::refused && given(setting->name))
      throw UsageError(option + ": given twice");
    add(*setting, std::move(value));
  }
}

/// Command-line values override and follow those of the file.
void Settings::read_file(const std::string& file, std::string_view command,
                         std::span<const std::string_view> sections) {
  const std::vector<Occurrence> line = std::exchange(occurrences_, {});
  const bool has_words = !words_.empty();
  for (ConfigEntry& entry : read_config(file, command, sections)) {
    const auto refuse = [&](const std::string& what) {
      throw UsageError(
          fmt::format("{}:{}:{}: {}", one_line(file), entry.where.line, entry.where.column, what));
    };
    if (entry.name == words_name) {
      if (!has_words) words_ = std::move(entry.values);
      continue;
    }
    if (of_the_call(entry.name))
      refuse(fmt::format("'{}' is an option of the command line only", entry.name));
    const Setting* const setting = find(table_, entry.name);
    if (setting == nullptr)
      refuse(fmt::format("no setting '{}'{}", one_line(entry.name), hint(table_, entry.name)));
    if (setting->argument.empty() && !entry.boolean)
      refuse(fmt::format("'{}' is true or false", entry.name));
    if (entry.boolean && setting->argument == "yes|no")
      entry.values = {entry.values[0] == "true" ? "yes" : "no"};
    else if (entry.boolean && !setting->argument.empty())
      refuse(fmt::format("'{}' needs a value", entry.name));
    if (std::ranges::find(line, entry.name, &Occurrence::name) != line.end()) continue;
    if (setting->argument.empty()) {
      if (entry.values[0] == "true") add(*setting, "true");
      continue;
    }
    if (setting->repeat != Repeat::list)
      entry.values = {fmt::format("{}", fmt::join(entry.values, ","))};
    for (std::string& value : entry.values) {
      if (value.empty()) refuse(fmt::format("'{}' needs a value", entry.name));
      if (const auto wrong = mistake(*setting, value))
        refuse(fmt::format("'{}': {}", entry.name, *wrong));
      add(*setting, std::move(value));
    }
  }
  occurrences_.insert(occurrences_.end(), line.begin(), line.end());
}

void Settings::add(const Setting& setting, std::string value) {
  values_[std::string(setting.name)] = value;
  if (setting.repeat == Repeat::last_wins)
    std::erase_if(occurrences_, [&](const Occurrence& each) { return each.name == setting.name; });
  occurrences_.push_back({std::string(setting.name), std::move(value)});
}

bool Settings::given(std::string_view name) const {
  return std::ranges::find(occurrences_, name, &Occurrence::name) != occurrences_.end();
}

const std::string& Settings::text(std::string_view name) const {
  static const std::string none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::vector<std::string> Settings::texts(std::string_view name) const {
  std::vector<std::string> result;
  for (const Occurrence& each : occurrences_)
    if (each.name == name) result.push_back(each.value);
  return result;
}

double Settings::number(std::string_view name) const {
  const auto& kind = std::get<kind::Number>(declared(table_, name).value);
  return number(name, kind.least, kind.most);
}

std::size_t Settings::count(std::string_view name) const {
  const auto& kind = std::get<kind::Count>(declared(table_, name).value);
  return count(name, kind.least, kind.most);
}

double Settings::number(std::string_view name, double least, double most) const {
  if (const auto value = parse_number(text(name), least, most)) return *value;
  throw UsageError(fmt::format(
      "--{}: {}", name, *mistake({name, "X", "", "", kind::Number{least, most}}, text(name))));
}

std::size_t Settings::count(std::string_view name, std::size_t least, std::size_t most) const {
  if (const auto value = parse_count(text(name), least, most)) return *value;
  throw UsageError(fmt::format(
      "--{}: {}", name, *mistake({name, "N", "", "", kind::Count{least, most}}, text(name))));
}

std::vector<std::size_t> Settings::counts(std::string_view name) const {
  if (auto values = parse_counts(text(name))) return std::move(*values);
  throw UsageError(
      fmt::format("--{}: {}", name, *mistake({name, "N,N", "", "", kind::Counts{}}, text(name))));
}

/// In the order of the table; but given ones that may be repeated last, in the order they were
/// given, since that may matter.
std::vector<const Setting*> Settings::in_printed_order() const {
  const auto ordered = [&](const Setting& setting) {
    return setting.repeat == Repeat::list && given(setting.name);
  };
  std::vector<const Setting*> result;
  for (const Setting& setting : table_)
    if (!of_the_call(setting.name) && !ordered(setting)) result.push_back(&setting);
  for (const Occurrence& each : occurrences_)
    if (const Setting* setting = find(table_, each.name);
        ordered(*setting) && std::ranges::find(result, setting) == result.end())
      result.push_back(setting);
  return result;
}

/// Empty if there is none.
std::string Settings::printed_value(const Setting& setting) const {
  if (setting.argument.empty()) return text(setting.name);
  std::vector<std::string> values;
  if (setting.repeat == Repeat::list)
    values = texts(setting.name);
  else if (has(setting.name))
    values = {text(setting.name)};
  if (values.empty()) return "";
  if (values.size() == 1) return config_value(values[0]);
  JsonArray list(JsonSpacing::blanks);
  for (const std::string& value : values) list.add(JsonText::verbatim(config_value(value)));
  return list.text();
}

std::string Settings::printed_words() const {
  return JsonArray::of(words_, JsonSpacing::blanks).text();
}

std::string Settings::json() const {
  JsonObject result(JsonSpacing::blanks);
  const auto add = [&](std::string_view name, const std::string& value) {
    result.line(2).add(name, JsonText::verbatim(value));
  };
  if (!words_.empty()) add(words_name, printed_words());
  for (const Setting* setting : in_printed_order())
    if (const std::string value = printed_value(*setting); !value.empty())
      add(setting->name, value);
  return result.line(0).text() + "\n";
}

std::string Settings::toml() const {
  std::string result = words_.empty() ? "" : fmt::format("{} = {}\n", words_name, printed_words());
  for (const Setting* setting : in_printed_order()) {
    const bool flag = setting->argument.empty();
    std::string comment =
        flag ? std::string(setting->description)
             : fmt::format("{}: {}", setting->argument, description_text(*setting));
    for (std::size_t end = 0; (end = comment.find('\n', end)) != std::string::npos; end += 3)
      comment.insert(end + 1, "# ");
    const std::string value = printed_value(*setting);
    // A setting without a value is a comment, to be filled in.
    result += fmt::format("\n# {}\n{}{} = {}\n", comment, value.empty() ? "# " : "", setting->name,
                          value.empty() && flag ? "true" : value);
  }
  return result;
}

}  // namespace wmi::frontends
