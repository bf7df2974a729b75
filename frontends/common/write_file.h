#pragma once

#include <string>
#include <string_view>

namespace wmi::frontends {

/// Writes a file anew: whoever is killed, and whoever reads, finds the old one or the new one.
/// Throws WriteError; then the old one is still there. A device or a pipe is written to.
void save(const std::string& file, std::string_view text);

}  // namespace wmi::frontends
