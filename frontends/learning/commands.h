#pragma once

#include <span>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// Every command, in the order of a user's work: the table.
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
