#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"
#include "frontends/check/bytes.h"

namespace wmi::check {

/// What a certificate that carries its problem begins with, before the mark of all.
inline constexpr std::string_view query_mark = "query-certificate 1\n";

/// The problem that a certificate carries: what `ciber query` was asked about a network, in
/// SMT-LIB.
struct Carried {
  struct Value {
    std::string name;                // `input[0]`, `fc1.weight[0,3]`
    std::optional<Rational> number;  // nothing: it is unknown, a real
  };

  std::vector<Value> values;
  std::string network;    // definitions of what the statement has names for
  std::string statement;  // laws and queries; empty if they could not be taken apart

  /// The declarations and definitions of `values`.
  std::string given() const;
};

/// The problem at the beginning of a certificate; nothing if it carries none. Throws Rejected.
std::optional<Carried> read_carried(Bytes& in);

/// The types of layers that are not re-encoded, each once: `conv2d, tanh`.
std::string foreign_layers(const encoders::Network& network);

/// `2 linear, 1 relu`
std::string counted_layers(const encoders::Network& network);

/// The outputs `out[0]`, ... and the entries `fc1[0]`, ... of all layers as definitions over the
/// values; requires that no layer is foreign. Throws Rejected where network and values do not fit.
std::string definitions(const encoders::Network& network,
                        const std::vector<Carried::Value>& values);

}  // namespace wmi::check
