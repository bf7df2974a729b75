#pragma once

#include <string>

#include "frontends/formats/format.h"

namespace wmi::frontends {

/// The text of a file, or of stdin for `-`. Throws Error.
Source load(const std::string& file);

}  // namespace wmi::frontends
