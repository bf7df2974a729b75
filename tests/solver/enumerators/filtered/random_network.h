#pragma once

#include <vector>

#include "solver/terms/problem.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {

/// What the weights of a random network are like: floats, and
enum class Weights {
  plain,       // nothing else
  ties,        // many of them equal, 0 or 1; units that are the same or opposite, or never active
  corners,     // units that vanish exactly at corners of the box, or at its centre
  near,        // units that vanish within roundoff of these
  cancelling,  // layers that nearly cancel, and units that vanish at corners
  wild,        // sizes from 2^-100 to 2^100
};

struct NetworkShape {
  int inputs = 2;
  int layers = 2;
  int widest = 3;
  Weights weights = Weights::plain;
};

/// A piecewise linear network over a box of inputs, as terms.
struct RandomNetwork {
  Problem problem;
  std::vector<Polynomial> units;    // of all layers: relu, leaky, abs, max, step
  std::vector<Polynomial> outputs;  // affine in the last layer
  std::vector<Rational> levels;     // values of outputs at corners and at the centre
};

RandomNetwork random_network(Random& random, const NetworkShape& shape);
NetworkShape random_shape(Random& random, int most_inputs, int most_layers, int widest);

/// As weights are stored.
Rational random_float(Random& random);

}  // namespace wmi::tests
