#pragma once

#include <string>
#include <string_view>

namespace wmi::frontends {

/// The bytes of a plain file of at most `max_file_bytes`. Throws Error.
std::string read_bytes(const std::string& path);

/// Writes a file anew. Throws Error.
void write_bytes(const std::string& path, std::string_view bytes);

}  // namespace wmi::frontends
