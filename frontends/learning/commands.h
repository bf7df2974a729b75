#pragma once

#include <span>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The table of commands, in the order in which a user needs them.
std::span<const Command> commands();

Command train_command();
Command sample_command();
Command predict_command();
Command explain_command();
Command encode_command();
Command evaluate_command();
Command report_command();
Command demo_command();
Command reproduce_command();

}  // namespace wmi::frontends
