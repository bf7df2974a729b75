#pragma once

#include <span>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The table of commands that `ciber` runs itself, in the order in which a user needs them. Where a
/// network needs LibTorch, `ciber-learning` takes over.
std::span<const Command> commands();

Command train_command();
Command sample_command();
Command predict_command();
Command explain_command();
Command encode_command();
Command evaluate_command();
Command report_command();
Command demo_command();

/// Of `ciber-learning` alone.
Command reproduce_command();

}  // namespace wmi::frontends
