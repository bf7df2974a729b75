#pragma once

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"

namespace wmi::encoders {

/// A layer with its inputs and parameters, and the expected output, computed by plain loops that
/// are independent of the algebra.
struct LayerCase {
  std::map<std::string, Attributes::Value, std::less<>> attributes;
  std::map<std::string, Tensor<Rational>, std::less<>> parameters;
  std::vector<Tensor<Rational>> inputs;
  std::vector<bool> masks;
  Tensor<Rational> expected;
  /// For smooth layers, the error of `expected`; the true value lies on one side of the output, as
  /// the attribute `side` says. For all others 0: the output is exactly `expected`.
  Rational slack = 0;

  /// The layer, named `layer`, in a network with its parameters. The network cannot be run: it has
  /// one input, and the layer may have several.
  Network network(std::string_view type) const;
};

/// A random case of the type. Throws std::out_of_range if there is none.
LayerCase random_case(std::string_view type, std::mt19937& random);

}  // namespace wmi::encoders
