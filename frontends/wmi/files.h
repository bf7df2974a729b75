#pragma once

#include <string>
#include <string_view>

namespace wmi::frontends {

/// Writes a file anew. Throws WriteError.
void save(const std::string& file, std::string_view text);

}  // namespace wmi::frontends
