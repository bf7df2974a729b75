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
    std::vector<std::string_view> names;
    for (const Choice& choice : all) names.push_back(choice.name);
    const auto* one = std::get_if<kind::OneOf>(&setting.value);
    return one != nullptr && !one->noun.empty()
               ? fmt::format("no {} named {}; choose {}", one->noun, shown, alternatives(names))
               : fmt::format("no {}; choose {}", shown, alternatives(names));
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

std::string help_text(const Setting& setting) {
  const std::vector<Choice> all = choices(setting);
  std::string result(setting.description);
  std::size_t width = 0;
  for (const Choice& choice : all)
    if (!choice.description.empty()) width = std::max(width, choice.name.size());
  if (width == 0) {
    if (!setting.standard.empty()) result += fmt::format(" (default: {})", setting.standard);
    return result;
  }
  for (const Choice& choice : all)
    result += fmt::format("{}{:<{}}  {}{}", result.empty() ? "" : "\n", choice.name, width,
                          choice.description, choice.name == setting.standard ? " (default)" : "");
  return result;
}

}  // namespace wmi::frontends
