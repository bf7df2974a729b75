#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "encoders/network.h"

namespace wmi::bnn {

/// A network of linear layers with an activation after each but the last: fc1, relu1, fc2, ...
/// Its parameters are 0; only their shapes matter.
///
///     mlp(13, {50}, 2);  // fc1 [50, 13], relu1, fc2 [2, 50]
///
/// The activation is the type of one of the encoders' layers that needs no tensors; with `dropout`
/// above 0, a layer drop1, ... follows each activation. Throws Error.
encoders::Network mlp(std::size_t inputs, const std::vector<std::size_t>& hidden,
                      std::size_t outputs, const std::string& activation = "relu",
                      double dropout = 0);

}  // namespace wmi::bnn
