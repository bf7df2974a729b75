#pragma once

#include <string>
#include <string_view>

#include "frontends/formats/format.h"

namespace wmi::frontends {

/// The text of a file, or of stdin for `-`. Throws Error.
Source load(const std::string& file);

/// Writes a file anew. Throws WriteError.
void save(const std::string& file, std::string_view text);

}  // namespace wmi::frontends
