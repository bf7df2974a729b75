#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// One tensor in a vector of all parameters.
struct Parameter {
  std::string name;
  encoders::Shape shape;
  std::size_t offset = 0;
  std::size_t size = 0;
  bool fixed = false;  // running means and the like, which training does not change
  bool bias = false;
};

/// Where each parameter of the network and of the likelihood lies in one vector, in the order of
/// their names.
struct Layout {
  std::vector<Parameter> parameters;
  std::size_t size = 0;

  /// Throws Error when there is none of this name.
  const Parameter& at(std::string_view name) const;
  const Parameter* find(std::string_view name) const;
};

Layout make_layout(const Weights& weights);

std::vector<double> to_vector(const Layout& layout, const Weights& weights);
/// Each entry is rounded to a float, so that files and exact numbers stay short.
Weights to_weights(const Layout& layout, std::span<const double> entries);

/// The tensors of a network, 0 where they have a shape and no entries (`mlp`), and the likelihood's
/// own parameter where there is one.
Weights weights_of(const encoders::Network& network, const Observation& observation);

/// Fresh weights in these shapes: uniform with the variance of Xavier and Bengio (Glorot) where
/// there are two axes or more, biases 0; other tensors (slopes, scales) stay what they are.
Weights initial_weights(const Weights& shapes, std::uint64_t seed);

}  // namespace wmi::bnn
