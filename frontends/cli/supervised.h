#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "frontends/cli/limits.h"
#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// Runs `work` under a supervisor and shows `progress`, if there is one, on a terminal, or writes it
/// once a minute where there is none. A signal or a limit asks the work to stop. True if the work
/// returned. False if it was stopped: the message `stopped(reason)` has been printed, and the exit
/// status should be 3. If the work does not stop, the process exits with 3 here. Rethrows any other
/// exception of the work.
bool supervised(Terminal& terminal, unsigned threads,
                const std::function<void(const std::stop_token&)>& work,
                const std::function<std::string()>& progress,
                const std::function<std::string(std::string_view reason)>& stopped,
                const Limits& limits = {});

/// The exit status of `body`, for a command with the setting `timeout`: if that is given, the body
/// has so many seconds, and the process then exits with 3 and a message. Rethrows what the body
/// throws.
int within_timeout(const Settings& settings, Terminal& terminal, const std::function<int()>& body);

}  // namespace wmi::frontends
