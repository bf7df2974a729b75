#pragma once

#include <cstddef>
#include <string>

#include "frontends/common/caps.h"

namespace wmi::frontends {

/// The bytes of a plain file. Throws Error if it cannot be read, is a device or a pipe, or has more
/// than `most` bytes.
std::string read_file(const std::string& path, std::size_t most = caps::file);

/// The bytes of what a user named: a file, a device, a pipe, or stdin for `-`;
/// at most `caps::file`. Throws Error.
std::string read_input(const std::string& path);

}  // namespace wmi::frontends
