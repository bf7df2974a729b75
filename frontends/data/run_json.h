#pragma once

#include <string>

#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// The run in the text of a run.json, without a path. Throws Error with a location.
Run parse_run(const std::string& bytes);
/// The text of its run.json.
std::string to_json(const Run& run);

}  // namespace wmi::frontends
