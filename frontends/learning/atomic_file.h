#pragma once

#include <string>
#include <string_view>

namespace wmi::frontends {

/// Writes a file under another name beside it, waits until it is on the disk, and gives it its
/// name: whoever is killed, and whoever reads, finds the old file or the new one. Throws
/// WriteError, naming the file; then the old one is still there. What is no plain file, a device or
/// a pipe, is written to.
void replace_file(const std::string& path, std::string_view bytes);

}  // namespace wmi::frontends
