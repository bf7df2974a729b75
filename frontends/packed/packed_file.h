#pragma once

#include <cstddef>
#include <string>

namespace wmi::frontends {

/// The bytes, decompressed if they are in the gzip or xz format. Throws Error if they are damaged
/// or would become more than `most`.
std::string unpacked(std::string bytes, std::size_t most);

/// The bytes of a file, decompressed if it is in the gzip or xz format. Throws Error, naming the
/// file, if it cannot be read or has more than `caps::unpacked` bytes.
std::string read_unpacked(const std::string& path);

/// The first `most` bytes of such a file, or all if it has fewer.
std::string read_unpacked(const std::string& path, std::size_t most);

}  // namespace wmi::frontends
