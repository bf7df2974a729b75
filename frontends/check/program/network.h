#pragma once

#include <map>
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
struct EmbeddedProblem {
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
std::optional<EmbeddedProblem> read_carried(Bytes& in);

/// By type: `relu`, `linear`.
std::map<std::string, std::size_t> count_layers(const encoders::Network& network);

/// The outputs `out[0]`, ... and the entries `fc1[0]`, ... of all layers as definitions over the
/// values, of a network as it is read that has linear and ReLU layers only. Throws Rejected where
/// network and values do not fit.
std::string definitions(const encoders::Network& network,
                        const std::vector<EmbeddedProblem::Value>& values);

}  // namespace wmi::check
