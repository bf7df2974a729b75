#pragma once

#include <vector>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The command line of `wmi`.
Command wmi_command();

/// Its commands, which work on the directories of jobs. A file of such a name is ./split.
std::vector<Command> wmi_commands();

}  // namespace wmi::frontends
