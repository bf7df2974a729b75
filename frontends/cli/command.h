#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/manual.h"
#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// One command of `ciber`: a line of its table, and a file of its own.
struct Command {
  std::string_view name;
  std::string_view usage;  // what follows the name
  std::string_view description;
  std::span<const Setting> settings;
  std::string_view examples;  // a line each
  /// Returns the exit status; throws what `guarded` knows.
  int (*run)(const Settings& settings, Terminal& terminal);
};

/// The text of `ciber NAME --help`.
std::string help(const Command& command);

/// What the manual and the completions say of it.
ManualPage page(const Command& command);

/// Runs it with these words, or prints its help (--help) or its settings (--print-config).
int run(const Command& command, const std::vector<std::string>& arguments, Terminal& terminal);

}  // namespace wmi::frontends
