#pragma once

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"

namespace wmi::encoders {

/// A layer of some type with what it needs to run, and what must come out, reckoned by plain loops
/// that know nothing of the algebra.
struct LayerCase {
  std::map<std::string, Attributes::Value, std::less<>> attributes;
  std::map<std::string, Tensor<Rational>, std::less<>> parameters;
  std::vector<Tensor<Rational>> inputs;
  std::vector<bool> masks;
  Tensor<Rational> expected;
  /// For smooth layers: `expected` is within this of the truth, which lies on the side of what
  /// comes out that the attribute `side` says. 0 for all others: what comes out is what is
  /// expected.
  Rational slack = 0;

  /// The layer, named `layer`, in a network that holds its parameters. It is not there to be run as
  /// a whole: a network has one input, and the layer may have several.
  Network network(std::string_view type) const;
};

/// A random case of the type. Throws std::out_of_range when nobody has written one.
LayerCase random_case(std::string_view type, std::mt19937& random);

}  // namespace wmi::encoders
