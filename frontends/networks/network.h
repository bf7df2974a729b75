#pragma once

#include <string>

#include "encoders/network.h"
#include "frontends/networks/safetensors.h"

namespace wmi::frontends {

/// Reads a network from a safetensors file: its tensors are the parameters, and its metadata
/// `network`, or the .json file of the same name beside it, describes the layers in JSON
/// (docs/network.md).
///
///     {"input": [3], "layers": [{"name": "fc1", "type": "linear"},
///                               {"name": "relu1", "type": "relu"},
///                               {"name": "sum", "type": "add", "from": ["relu1", "fc1"]}]}
///
/// Throws Error, naming the layer; a location in the JSON is part of the message. Missing tensors
/// are reported when the network is run.
encoders::Network read_network(const std::string& path);
/// The network of a safetensors file that has been read; the metadata must describe it.
encoders::Network to_network(Safetensors file);

/// The file that `read_network` reads back as this network.
Safetensors to_safetensors(const encoders::Network& network);
/// Throws Error if a weight is no float, or the file cannot be written.
void write_network(const std::string& path, const encoders::Network& network);

}  // namespace wmi::frontends
