#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// Every command line: wmi, ciber, and the commands of ciber, those of `learning` included. The
/// commands `man` and `completion` describe all of them.
std::vector<Command> all_commands(std::span<const Command> learning = {});

/// The commands that a --config file of ciber may have tables for.
std::span<const std::string_view> config_sections();

/// The text of `ciber --help`: all commands, in a line each.
std::string overview();

}  // namespace wmi::frontends
