#pragma once

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// `ciber query` and `ciber encode NET`: questions to a partly unknown network, answered or written
/// as a problem. They take the options of wmi as well.
Command query_network_command();
Command encode_network_command();

}  // namespace wmi::frontends
