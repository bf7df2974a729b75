#pragma once

#include <cstddef>
#include <string>

#include "bnn/data/images.h"

namespace wmi::frontends {

/// Reads the first images, at most `most`, of a CIFAR-10 batch: for each, a byte with its class, 0
/// to 9, and 3072 bytes with its pixels. The file may be compressed. Throws Error, naming the file.
bnn::Images read_cifar(const std::string& path, std::size_t most);

}  // namespace wmi::frontends
