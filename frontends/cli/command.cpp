#include "frontends/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "frontends/cli/usage_error.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/common/write_file.h"
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

/// Of every command that writes a file.
constexpr Setting overwrite = {
    "overwrite", "", "",
    "replace files that are there, even if they are no earlier results; never an input"};

bool writes_file(const Setting& setting) {
  return std::holds_alternative<kind::Output>(setting.value);
}

/// Is the file in one of these directories, or below it?
bool is_within(const std::string& file, std::span<const std::string> directories) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file, error), error);
  for (const std::string& directory : directories) {
    if (!fs::is_directory(directory, error)) continue;
    for (fs::path above = whole.parent_path();; above = above.parent_path()) {
      if (fs::equivalent(above, directory, error)) return true;
      if (above == above.parent_path()) break;
    }
  }
  return false;
}

/// Files that options name, and the words of the command line, are inputs, unless the option says
/// that it writes one. Each file that is to be written must be another one, and may replace an
/// earlier result only: in a directory that is an input, whatever the options. Throws UsageError.
void check_outputs(std::span<const Setting> table, const Settings& settings, std::size_t inputs) {
  const std::vector<std::string>& words = settings.words();
  const std::span<const std::string> read = std::span(words).first(std::min(inputs, words.size()));
  for (const std::string& word : read) note_input(word);
  std::vector<const Setting*> outputs;
  for (const Setting& setting : table) {
    if (!settings.has(setting.name) || setting.argument.empty()) continue;
    if (!writes_file(setting))
      for (const std::string& value : settings.texts(setting.name)) note_input(value);
    else if (settings.text(setting.name) != "-")
      outputs.push_back(&setting);
  }
  std::map<std::filesystem::path, std::string_view> written;  // by which option
  for (const Setting* output : outputs) {
    const std::string& file = settings.text(output->name);
    std::error_code error;
    const auto [other, first] =
        written.emplace(std::filesystem::weakly_canonical(file, error), output->name);
    const bool device = std::filesystem::is_other(std::filesystem::status(file, error));
    if (!first && !device)
      throw UsageError(fmt::format("--{}: {} is that of --{} too; name another file", output->name,
                                   printable(file), other->second));
    const auto refuse = [&](const WriteError& refusal, std::string_view advice) {
      throw UsageError(fmt::format("--{}: {}{}", output->name, refusal.what(), advice));
    };
    try {
      refuse_input(file);
    } catch (const WriteError& refusal) {
      refuse(refusal, "");
    }
    const bool within = is_within(file, read);
    try {
      check_output(file, std::get<kind::Output>(output->value).beginnings,
                   settings.flag(overwrite.name) && !within);
    } catch (const WriteError& refusal) {
      refuse(refusal, within ? "; its directory is an input" : ", or give --overwrite");
    }
  }
}

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
  if (std::ranges::any_of(command.settings, writes_file)) missing.push_back(overwrite);
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
  check_outputs(table, settings, command.inputs);
  return command.run(settings, terminal);
}

}  // namespace wmi::frontends
