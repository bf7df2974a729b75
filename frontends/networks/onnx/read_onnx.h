#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"
#include "frontends/networks/onnx/model.h"

namespace wmi::frontends::onnx {

/// A network that was read, and remarks about it for its user.
struct ReadNetwork {
  encoders::Network network;
  std::vector<std::string> notes;
};

/// The network of an ONNX model (docs/network.md, "ONNX"). Its weights are the exact numbers that
/// the floats are; what depends on no input is computed exactly. Throws Error, naming the node, for
/// what is not supported.
ReadNetwork to_network(Model model);
ReadNetwork read_onnx(std::string_view bytes);

}  // namespace wmi::frontends::onnx
