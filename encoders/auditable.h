#pragma once

#include <optional>
#include <string>
#include <vector>

#include "encoders/encode.h"

namespace wmi::encoders {

/// A named value of a problem about a network: a number or an unknown.
struct NamedValue {
  std::string name;  // `input[0]`, `fc2.weight[0,3]`, `y`
  std::optional<Rational> number;
};

/// A partly unknown network as a problem in separate parts, so that a checker that does not trust
/// this encoder can encode the network again.
struct AuditableEncoding {
  /// The unknowns, in the order of their reals; all other inputs; numbers that replace entries of
  /// tensors.
  std::vector<NamedValue> values;
  /// The result of `encode`, except that if all layers are linear or ReLU, each unit whose input is
  /// not a number is a definition, whether bounds decide it or not.
  Encoding network;
  /// The laws, likelihood and query terms, with a derived real for each entry of a layer
  /// (`relu1[4]`), each input that is a number, and each output (`out[0]`).
  Encoding statement;
};

/// Throws Error like `encode`, and if names are ambiguous.
AuditableEncoding encode_auditable(const Network& network, const Tensor<Rational>& input,
                                   std::span<const Unknown> unknowns, const Outcome& outcome = {});

}  // namespace wmi::encoders
