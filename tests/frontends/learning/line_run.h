#pragma once

#include <string>

#include "tests/temporary_directory.h"

namespace wmi::frontends {

/// y = 2 x + 1 and noise of deviation 1/2, in a network max(0, x) and max(0, -x), two samples.
/// Returns the path of the run.
std::string line_run(const TemporaryDirectory& directory);

}  // namespace wmi::frontends
