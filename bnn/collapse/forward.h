#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bnn/data/weights.h"
#include "bnn/numeric/matrix.h"
#include "encoders/network.h"
#include "solver/terms/rational.h"

namespace wmi::bnn {

/// The outputs of a network on some inputs, a row for each, and the input of one of its layers.
struct Activations {
  Matrix entering;  // the input of the layer asked for; empty without one
  Matrix outputs;   // of all output layers, side by side
};

/// Runs a network with a sample's weights on inputs, a row each. `layer` names a layer with one
/// input, or is empty. Throws Error that names the layer. Programs use float_forward.
using Forward = std::function<Activations(const encoders::Network& network, const Weights& weights,
                                          const Matrix& inputs, const std::string& layer)>;

/// The same for one input, in exact numbers.
struct ExactActivations {
  std::vector<Rational> entering;
  std::vector<Rational> outputs;
};
ExactActivations exact_forward(const encoders::Network& network, const Weights& weights,
                               const std::vector<Rational>& input, const std::string& layer);

/// The network with the sample's weights as its parameters, each converted exactly.
encoders::Network with_weights(const encoders::Network& network, const Weights& weights);

/// The value that enters a layer. Throws Error when there is no such layer or it has several
/// inputs.
const std::string& entering_value(const encoders::Network& network, const std::string& layer);

}  // namespace wmi::bnn
