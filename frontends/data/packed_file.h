#pragma once

#include <cstddef>
#include <string>

namespace wmi::frontends {

/// The bytes of a file, decompressed if it is gzip's or xz's. Throws Error, naming the file; also
/// for more than `caps::unpacked` bytes.
std::string read_unpacked(const std::string& path);

/// The first bytes of such a file, at most `most`.
std::string read_unpacked(const std::string& path, std::size_t most);

}  // namespace wmi::frontends
