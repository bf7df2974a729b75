#pragma once

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// `ciber convert FROM TO`: writes a network of any format as a safetensors file.
Command convert_command();

}  // namespace wmi::frontends
