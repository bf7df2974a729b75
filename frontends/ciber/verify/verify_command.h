#pragma once

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// `ciber verify NET PROPERTY`: how likely a network violates a property, with a verdict.
Command verify_command();

}  // namespace wmi::frontends
