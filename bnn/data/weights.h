#pragma once

#include <functional>
#include <map>
#include <string>

#include "encoders/tensor.h"

namespace wmi::bnn {

/// One sample of a network's parameters, under the names of the network's: `fc1.weight`,
/// `fc1.bias`. A likelihood's own parameters are there too, under `likelihood.NAME`.
using Weights = std::map<std::string, encoders::Tensor<double>, std::less<>>;

}  // namespace wmi::bnn
