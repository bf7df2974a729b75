#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontends/cli/command.h"

namespace wmi::frontends {

struct JobCommand;

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

/// Those that can make a job: predict and evaluate.
std::span<const JobCommand> learning_job_commands();

/// Of `ciber-learning` alone.
Command reproduce_command();
/// The same without what it runs, for the manual page and the completion.
Command reproduce_declaration();
/// The first line of the document that it writes.
inline constexpr std::string_view reproduction_title = "# What the published experiments give\n";

/// All learning commands that are installed, for manual pages and completions.
std::vector<Command> described_commands(bool with_experiments);

}  // namespace wmi::frontends
