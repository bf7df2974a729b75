#include "frontends/cli/command.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/cli/usage_error.h"
#include "frontends/common/caps.h"
#include "solver/terms/error.h"

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

namespace wmi::frontends {
namespace {

/// The settings of every configurable command.
constexpr Setting common[] = {
    {"cap", "NAME=N", "",
     "what may be larger than usual in a file, such as cells=50000000; several "
     "with commas between (docs/language.md)",
     kind::Text{}, Repeat::list},
    {"print-config", "", "", "print all settings as the JSON that --config FILE reads, and stop"},
    {"print-toml", "", "", "the same as TOML, each setting below what it means"},
    {"config", "FILE", "", "settings in TOML or JSON; the command line wins"},
};

/// Before a `--`, behind which all words are files.
bool asks_for_help(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--help" || word == "-h") return true;
    if (word == "--") return false;
  }
  return false;
}

}  // namespace

std::string Command::full_name() const {
  return program.empty() ? std::string(name) : fmt::format("{} {}", program, name);
}

std::string Command::page_name() const {
  return program.empty() ? std::string(name) : fmt::format("{}-{}", program, name);
}

std::vector<Setting> all_settings(const Command& command) {
  std::vector<Setting> result(command.settings.begin(), command.settings.end());
  if (!command.configurable) return result;
  // Those of the program itself, such as --version, stay the last.
  const auto end = std::ranges::find_if(result, [](const Setting& setting) {
    return setting.name == "version" || setting.name == "help";
  });
  std::vector<Setting> missing;
  for (const Setting& setting : common)
    if (find(command.settings, setting.name) == nullptr) missing.push_back(setting);
  result.insert(end, missing.begin(), missing.end());
  return result;
}

int run(const Command& command, const std::vector<std::string>& arguments, Terminal& terminal,
        std::span<const std::string_view> sections) {
  if (asks_for_help(arguments)) {
    terminal.print(help(command));
    return 0;
  }
  const std::vector<Setting> table = all_settings(command);
  const Settings settings(command.full_name(), table, arguments, sections);
  if (settings.flag("version")) {
    terminal.print(fmt::format("{} {}\n", command.name, WMI_VERSION));
    return 0;
  }
  if (settings.flag("print-config")) {
    terminal.print(settings.json());
    return 0;
  }
  if (settings.flag("print-toml")) {
    terminal.print(settings.toml());
    return 0;
  }
  try {
    for (const std::string& caps : settings.texts("cap")) set_caps(caps);
  } catch (const Error& error) {
    throw UsageError(std::string("--cap: ") + error.what());
  }
  return command.run(settings, terminal);
}

}  // namespace wmi::frontends
