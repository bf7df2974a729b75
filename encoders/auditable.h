#pragma once

#include <optional>
#include <string>
#include <vector>

#include "encoders/encode.h"

namespace wmi::encoders {

/// What stands under a name in a problem about a network: an unknown, or a number.
struct NamedValue {
  std::string name;  // `input[0]`, `fc2.weight[0,3]`, `y`
  std::optional<Rational> number;
};

/// A partly unknown network as a problem in parts, for who does not trust this encoder and makes
/// the part of the network anew.
struct AuditableEncoding {
  /// The unknowns, in the order of their reals; all other inputs; numbers that replace others.
  std::vector<NamedValue> values;
  /// As `encode` makes it; but where all layers are linear or ReLU, each unit whose input is no
  /// number is a definition, whether bounds decide it or not.
  Encoding network;
  /// The same with a derived real for each entry of a layer (`relu1[4]`), each input that is a
  /// number and each output (`out[0]`): laws and likelihood, and what questions are about.
  Encoding statement;
};

/// Throws Error as `encode` does, and where names do not tell things apart.
AuditableEncoding encode_separately(const Network& network, const Tensor<Rational>& input,
                                    std::span<const Unknown> unknowns, const Outcome& outcome = {});

}  // namespace wmi::encoders
