#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// Does long work under a supervisor: a signal asks it to stop, and `progress` is shown meanwhile
/// to who watches. True when the work has returned. False when it was stopped: then `stopped`, made
/// of the reason, has been said, and the exit status is 3; the process ends here if the work does
/// not come back. What the work throws otherwise is thrown on.
bool supervised(Terminal& terminal, unsigned threads,
                const std::function<void(const std::stop_token&)>& work,
                const std::function<std::string()>& progress,
                const std::function<std::string(std::string_view reason)>& stopped);

}  // namespace wmi::frontends
