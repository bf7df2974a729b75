#pragma once

#include <string>

#include "encoders/network.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// Reads a network in any format, and prints what its reader has to remark. Throws Error.
encoders::Network read_noted_network(const std::string& path, Terminal& terminal);

}  // namespace wmi::frontends
