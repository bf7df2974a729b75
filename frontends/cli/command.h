#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// The declaration of a program, or of a command of one: its command line is parsed by it, and its
/// help, manual page and completion are written from it.
struct Command {
  std::string_view name;   // `train`; of a program itself, `wmi`
  std::string_view usage;  // what follows the name
  std::string_view description;
  std::span<const Setting> settings;
  std::string_view examples = {};  // a line each
  /// Returns the exit status. What it throws is for `guarded`.
  std::function<int(const Settings& settings, Terminal& terminal)> run = {};
  std::string_view summary = {};        // one line, for lists of commands and the manual page
  std::string_view program = "ciber";   // whose command it is; empty: it is a program itself
  std::string_view notes = {};          // lines of the help below the options
  std::vector<std::string> words = {};  // the allowed arguments; empty: files
  bool configurable = true;             // takes --config and what else all such commands take
  std::size_t inputs = SIZE_MAX;  // so many words name files that are read, others are written

  /// `wmi`, `ciber train`
  std::string full_name() const;
  /// `ciber-train`, the name of its manual page
  std::string page_name() const;
};

/// The command's own settings and those that every configurable command takes.
std::vector<Setting> all_settings(const Command& command);

/// The text of `--help`.
std::string help(const Command& command);

/// Runs a command with these words, or prints its help (--help), its version (--version, where the
/// command has that) or its settings (--print-config, --print-toml). `sections` are the commands
/// that a configuration file may have settings for; none: any. Throws UsageError.
int run(const Command& command, const std::vector<std::string>& arguments, Terminal& terminal,
        std::span<const std::string_view> sections = {});

}  // namespace wmi::frontends
