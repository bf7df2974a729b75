#pragma once

#include <cstddef>
#include <string>

#include "bnn/data/images.h"

namespace wmi::frontends {

/// The first images, at most `most`, of a file of CIFAR-10: for each a byte with its class, 0 to 9,
/// and 3072 bytes with its pixels. The file may be packed (.xz). Throws Error, naming the file.
bnn::Images read_cifar(const std::string& path, std::size_t most);

}  // namespace wmi::frontends
