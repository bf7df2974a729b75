#pragma once

#include <string>
#include <vector>

#include "bnn/data/weights.h"
#include "bnn/numeric/matrix.h"
#include "encoders/network.h"
#include "solver/terms/rational.h"

namespace wmi::bnn {

/// What a network gives for some inputs, a row each, and what enters one of its layers.
struct Activations {
  Matrix entering;  // of the layer asked for; without one, nothing
  Matrix outputs;   // of all output layers, one after the other
};

/// Runs the network with a sample's weights, in 32-bit floats, which are then taken as the numbers
/// that they are. `layer` names a layer with one input, or is empty. Throws Error, naming the
/// layer.
Activations forward(const encoders::Network& network, const Weights& weights, const Matrix& inputs,
                    const std::string& layer);

/// The same for one input, in exact numbers.
struct ExactActivations {
  std::vector<Rational> entering;
  std::vector<Rational> outputs;
};
ExactActivations exact_forward(const encoders::Network& network, const Weights& weights,
                               const std::vector<Rational>& input, const std::string& layer);

/// The network with the sample's weights as its parameters, each the exact number that it is.
encoders::Network with_weights(const encoders::Network& network, const Weights& weights);

}  // namespace wmi::bnn
