#pragma once

#include <string>

#include "bnn/collapse/forward.h"

namespace wmi::bnn {

/// A Forward (bnn/collapse/forward.h) in 32-bit floats; its results are these floats as doubles.
Activations torch_forward(const encoders::Network& network, const Weights& weights,
                          const Matrix& inputs, const std::string& layer);

}  // namespace wmi::bnn
