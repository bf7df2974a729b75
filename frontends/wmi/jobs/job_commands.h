#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontends/cli/command.h"
#include "frontends/wmi/jobs/job_work.h"

namespace wmi::frontends {

/// The commands `part`, `units` and `join` of a program whose table of job commands is given.
std::vector<Command> job_commands(std::string_view program, std::span<const JobCommand> table);

}  // namespace wmi::frontends
