#pragma once

#include <string>

#include "bnn/collapse/forward.h"

namespace wmi::bnn {

/// A Forward (forward.h) for any network in 32-bit floats, without LibTorch; its results are these
/// floats as doubles, the same on every machine.
Activations float_forward(const encoders::Network& network, const Weights& weights,
                          const Matrix& inputs, const std::string& layer);

}  // namespace wmi::bnn
