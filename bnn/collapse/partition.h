#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "encoders/network.h"
#include "solver/terms/rational.h"

namespace wmi::bnn {

/// The linear layer that gives the outputs, and the linear layer before it with its activation.
struct Head {
  std::string output;
  std::string
      hidden;      // empty when the input of `output` is no ReLU or leaky ReLU of a linear layer
  Rational slope;  // of the activation max(x, slope * x)
};
/// Throws Error when the outputs do not come from one linear layer.
Head find_head(const encoders::Network& network);

/// True when the input of this layer of the network is the input of the network itself.
bool first_layer(const encoders::Network& network, const std::string& layer);

/// The layers that a partition leaves unknown: no layer, weights of the last linear layer, weights
/// of the linear layer before it, or every weight of both.
enum class UnknownLayers { none, last, second, all };

/// Which weights stay unknown, as read from a text.
struct Partition {
  UnknownLayers layers = UnknownLayers::none;
  std::size_t most = SIZE_MAX;          // this many weights
  bool bias = false;                    // the bias is one of them
  bool one_unit = false;                // all are weights of one hidden unit
  std::vector<std::string> names = {};  // of an explicit list of entries
};

/// Reads a partition as CollapseOptions::partition has it. Throws Error that says what is wrong.
///
///     const Partition partition = parse_partition("last:3+bias", {"fc2", "fc1", 0});
///     partition.most;  // 4: three weights and the bias
Partition parse_partition(const std::string& text, const Head& head);

}  // namespace wmi::bnn
