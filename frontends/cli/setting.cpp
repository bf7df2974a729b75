#include "frontends/cli/setting.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/cli/numbers.h"
#include "frontends/common/line.h"
#include "frontends/common/text.h"

namespace wmi::frontends {
namespace {

std::vector<Choice> split(std::string_view words) {
  std::vector<Choice> result;
  for (;;) {
    const std::size_t bar = words.find('|');
    result.push_back({words.substr(0, bar)});
    if (bar == std::string_view::npos) return result;
    words.remove_prefix(bar + 1);
  }
}

bool has_described_choices(const Setting& setting) {
  const std::vector<Choice> all = choices(setting);
  return !all.empty() && !all.front().description.empty();
}

/// The description, and a line for each choice that has one; `mark` follows the default.
std::string text(const Setting& setting, std::string_view mark) {
  std::string result(setting.description);
  if (!has_described_choices(setting)) return result;
  const std::vector<Choice> all = choices(setting);
  const std::size_t width = std::ranges::max(all, {}, [](const Choice& choice) {
                              return choice.name.size();
                            }).name.size();
  for (const Choice& choice : all)
    result += fmt::format("{}{:<{}}  {}{}", result.empty() ? "" : "\n", choice.name, width,
                          choice.description, choice.name == setting.standard ? mark : "");
  return result;
}

}  // namespace

const Setting* find(std::span<const Setting> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Setting::name);
  return found == table.end() ? nullptr : &*found;
}

std::vector<Choice> choices(const Setting& setting) {
  if (const auto* one = std::get_if<kind::OneOf>(&setting.value))
    return one->table != nullptr ? one->table() : split(one->words);
  if (setting.argument.find('|') != std::string_view::npos) return split(setting.argument);
  return {};
}

std::optional<std::string> mistake(const Setting& setting, const std::string& value) {
  const std::string shown = fmt::format("'{}'", one_line(value));
  if (const std::vector<Choice> all = choices(setting); !all.empty()) {
    if (std::ranges::find(all, value, &Choice::name) != all.end()) return std::nullopt;
    const std::string known = alternatives(all, &Choice::name);
    const auto* one = std::get_if<kind::OneOf>(&setting.value);
    return one != nullptr && !one->noun.empty()
               ? fmt::format("no {} named {}; choose {}", one->noun, shown, known)
               : fmt::format("no {}; choose {}", shown, known);
  }
  if (value.empty()) return "needs a value; see --help";
  if (const auto* number = std::get_if<kind::Number>(&setting.value)) {
    if (!parse_number(value, number->least, number->most))
      return fmt::format("{} is no number from {} to {}", shown, number->least, number->most);
  } else if (const auto* count = std::get_if<kind::Count>(&setting.value)) {
    if (!parse_count(value, count->least, count->most))
      return fmt::format("{} is no whole number from {} to {}", shown, count->least, count->most);
  } else if (std::holds_alternative<kind::Counts>(setting.value)) {
    if (!parse_counts(value))
      return fmt::format("{} is no list of numbers above 0, such as 50,20", shown);
  }
  return std::nullopt;
}

std::string description_text(const Setting& setting) { return text(setting, ""); }

std::string help_text(const Setting& setting) {
  std::string result = text(setting, " (default)");
  if (!setting.standard.empty() && !has_described_choices(setting))
    result += fmt::format(" (default: {})", setting.standard);
  return result;
}

}  // namespace wmi::frontends
