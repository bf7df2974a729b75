#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"
#include "frontends/check/bytes.h"

namespace wmi::check {

/// The first bytes of a certificate with an embedded problem; the mark of all certificates follows.
inline constexpr std::string_view query_mark = "query-certificate 1\n";

/// The problem embedded in a certificate: a query of `ciber query` about a network, in SMT-LIB.
struct EmbeddedProblem {
  struct Value {
    std::string name;                // `input[0]`, `fc1.weight[0,3]`
    std::optional<Rational> number;  // nullopt: an unknown real
  };

  std::vector<Value> values;
  std::string network;    // definitions of the names in the statement
  std::string statement;  // laws and queries; empty if they could not be separated

  /// The declarations and definitions of `values`.
  std::string given() const;
};

/// The problem embedded at the beginning of a certificate, if any. Throws Rejected.
std::optional<EmbeddedProblem> read_embedded(Bytes& in);

/// The layers of a type.
struct LayerCount {
  std::size_t count = 0;
  bool can_be_encoded = false;  // by `definitions`
};

/// By type: `relu`, `linear`.
std::map<std::string, LayerCount> count_layers(const encoders::Network& network);

/// The outputs `out[0]`, ... and the entries `fc1[0]`, ... of all layers as definitions over the
/// values, for a network of layers that can be encoded: `linear`, `relu`, and those that add, scale
/// or rearrange entries. Throws Rejected if network and values do not match.
std::string definitions(const encoders::Network& network,
                        const std::vector<EmbeddedProblem::Value>& values);

}  // namespace wmi::check
