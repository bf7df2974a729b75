#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "encoders/auditable.h"
#include "frontends/ciber/network_query.h"

namespace wmi::frontends {

/// The problem that the certificate of a question to a network carries, as SMT-LIB in parts:
/// whoever checks it may put other definitions in the place of `network`.
struct EmbeddedProblem {
  std::vector<encoders::NamedValue> values;  // declared or defined, before all else
  std::string network;                       // definitions of what the statement names
  std::string statement;  // laws, likelihood and queries; empty if all stands in `network`

  /// All of it, as a problem.
  std::string text() const;
  /// As a certificate begins with it (docs/certificate.md).
  void write(std::ostream& out) const;
};

/// Of the same questions as `make_task`, in the same order. Throws Error.
EmbeddedProblem carried(const encoders::Network& network, const NetworkQuery& asked);

}  // namespace wmi::frontends
