#pragma once

#include <cstddef>

#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// How many outputs the network has with tensors of these shapes; nothing is computed. Throws
/// Error, naming the layer, when a tensor is missing or does not fit, and naming the tensor when no
/// layer asks for it.
std::size_t count_outputs(const encoders::Network& network, const Weights& weights);

/// Throws Error unless these are weights of this model: tensors that fit the network, as many
/// outputs as the observation reads (`classes` of them for softmax), a likelihood's own parameter.
void check_weights(const encoders::Network& network, const Observation& observation,
                   std::size_t classes, const Weights& weights);

}  // namespace wmi::bnn
