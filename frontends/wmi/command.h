#pragma once

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The command line of `wmi`.
Command wmi_command();

}  // namespace wmi::frontends
