#pragma once

#include <string>

#include "encoders/network.h"
#include "frontends/networks/safetensors.h"

namespace wmi::frontends {

/// The network in a safetensors file: its tensors are the parameters, and its metadata under
/// `network`, or the file of the same name with the extension .json beside it, says in JSON which
/// layers there are. docs/network.md describes both.
///
///     {"input": [3], "layers": [{"name": "fc1", "type": "linear"},
///                               {"name": "relu1", "type": "relu"},
///                               {"name": "sum", "type": "add", "from": ["relu1", "fc1"]}]}
///
/// Throws Error, naming the layer; a place in the JSON is part of the message. Tensors that a layer
/// needs are missed when it is run.
encoders::Network read_network(const std::string& path);
/// The same from what was read; only the metadata describes it.
encoders::Network to_network(Safetensors file);

/// The file that is read back as this network.
Safetensors to_safetensors(const encoders::Network& network);
/// Throws Error for a weight that is no float.
void write_network(const std::string& path, const encoders::Network& network);

}  // namespace wmi::frontends
