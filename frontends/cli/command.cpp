#include "frontends/cli/command.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/cli/usage_error.h"
#include "frontends/common/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// What every command takes besides its own.
constexpr Setting common[] = {
    {"cap", "NAME=N", "",
     "what may be larger than usual in a file, such as cells=50000000; several "
     "with commas between (docs/language.md)"},
    {"print-config", "", "", "print all settings as the JSON that --config FILE reads, and stop"},
    {"print-toml", "", "", "the same as TOML, each setting below what it means"},
};

constexpr std::string_view config_description = "settings in TOML or JSON; the command line wins";

std::vector<Setting> all_settings(const Command& command) {
  std::vector<Setting> result(command.settings.begin(), command.settings.end());
  result.insert(result.end(), std::begin(common), std::end(common));
  return result;
}

/// `a|b`, as the name of a value, says what it may be; other names say nothing of it.
std::vector<std::string> choices(std::string_view argument) {
  std::vector<std::string> result;
  if (argument.find('|') == std::string_view::npos) return result;
  for (std::size_t bar = 0; bar != std::string_view::npos;) {
    bar = argument.find('|');
    result.emplace_back(argument.substr(0, bar));
    if (bar != std::string_view::npos) argument.remove_prefix(bar + 1);
  }
  return result;
}

}  // namespace

std::string help(const Command& command) {
  std::string text = fmt::format("usage: ciber {} {}\n{}\n{}", command.name, command.usage,
                                 command.description, described(all_settings(command)));
  text += fmt::format("  --config FILE           {}\n", config_description);
  if (!command.examples.empty()) text += fmt::format("Examples:\n{}", command.examples);
  return text;
}

ManualPage page(const Command& command) {
  ManualPage result{.name = "ciber " + std::string(command.name),
                    .summary = "",
                    .usage = std::string(command.usage),
                    .description = std::string(command.description),
                    .examples = std::string(command.examples)};
  for (const Setting& setting : all_settings(command)) {
    ManualOption option{"--" + std::string(setting.name), std::string(setting.argument),
                        std::string(setting.description)};
    if (!setting.standard.empty())
      option.description += fmt::format(" (default: {})", setting.standard);
    option.choices = choices(setting.argument);
    result.options.push_back(std::move(option));
  }
  result.options.push_back({"--config", "FILE", std::string(config_description)});
  return result;
}

int run(const Command& command, const std::vector<std::string>& arguments, Terminal& terminal) {
  const auto asked = [&](std::string_view word) {
    return std::ranges::find(arguments, word) != arguments.end();
  };
  if (asked("--help") || asked("-h")) {
    terminal.print(help(command));
    return 0;
  }
  const std::vector<Setting> table = all_settings(command);
  const Settings settings(command.name, table, arguments);
  if (settings.flag("print-config")) {
    terminal.print(settings.json());
    return 0;
  }
  if (settings.flag("print-toml")) {
    terminal.print(settings.toml());
    return 0;
  }
  try {
    if (settings.given("cap")) set_caps(settings.text("cap"));
  } catch (const Error& error) {
    throw UsageError(std::string("--cap: ") + error.what());
  }
  return command.run(settings, terminal);
}

}  // namespace wmi::frontends
