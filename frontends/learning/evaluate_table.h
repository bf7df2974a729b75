#pragma once

#include <string>

#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// `ciber evaluate TABLE.csv --target COLUMN`: cross-validation. Each fold is forecast by what
/// `ciber train` makes of the others, by `ciber predict` as it is and by other methods, and by
/// rivals in Python. Returns the exit status; throws Error and UsageError.
int evaluate_table(const std::string& path, const Settings& settings, Terminal& terminal);

}  // namespace wmi::frontends
