#pragma once

#include <string>

#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// `ciber evaluate DIRECTORY --out DIR`: all methods on all splits of a data set. The results are
/// recorded in a journal, so that an interrupted evaluation resumes. Returns the exit status;
/// throws Error and UsageError.
int evaluate_splits(const std::string& directory, const Settings& settings, Terminal& terminal);

}  // namespace wmi::frontends
