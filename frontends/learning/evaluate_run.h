#pragma once

#include <span>
#include <string>

#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// The settings of `ciber evaluate`.
std::span<const Setting> evaluate_settings();

/// `ciber evaluate RUN --data FILE`: all methods on rows that the run has not seen. Returns the
/// exit status; throws Error and UsageError.
int evaluate_run(const std::string& path, const Settings& settings, Terminal& terminal);

}  // namespace wmi::frontends
