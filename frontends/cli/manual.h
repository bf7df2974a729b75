#pragma once

#include <span>
#include <string>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The manual page of a command in roff, the language of man. `all` are the commands that it lists
/// and refers to.
std::string manual_page(const Command& command, std::span<const Command> all);

}  // namespace wmi::frontends
