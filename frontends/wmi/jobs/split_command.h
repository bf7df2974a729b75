#pragma once

#include <span>

#include "frontends/cli/command.h"
#include "frontends/wmi/jobs/job_work.h"

namespace wmi::frontends {

/// The command `wmi split`, and the table of wmi.
Command split_command();
std::span<const JobCommand> wmi_job_commands();

}  // namespace wmi::frontends
