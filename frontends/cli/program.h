#pragma once

#include <functional>

#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// Opens standard streams that are closed, so that no file opened later takes their descriptors.
void occupy_standard_streams();

/// Runs `body` and returns its exit status; maps an exception to a one-line message and a status.
int guarded(Terminal& terminal, const std::function<int()>& body);

}  // namespace wmi::frontends
