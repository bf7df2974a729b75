#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// Runs `work` under a supervisor and shows `progress` on a terminal. A signal asks the work to
/// stop. True if the work returned. False if it was stopped: the message `stopped(reason)` has been
/// printed, and the exit status should be 3. If the work does not stop, the process exits with 3
/// here. Rethrows any other exception of the work.
bool supervised(Terminal& terminal, unsigned threads,
                const std::function<void(const std::stop_token&)>& work,
                const std::function<std::string()>& progress,
                const std::function<std::string(std::string_view reason)>& stopped);

}  // namespace wmi::frontends
