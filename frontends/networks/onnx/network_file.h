#pragma once

#include <string>

#include "encoders/network.h"
#include "frontends/networks/onnx/read_onnx.h"

namespace wmi::frontends {

/// Reads a network from a safetensors file (see `read_network`) or an ONNX model, recognised by
/// their content; either may be compressed by gzip or xz, and a safetensors file then has its
/// description inside. Throws Error.
onnx::ReadNetwork read_any_network(const std::string& path);

}  // namespace wmi::frontends
