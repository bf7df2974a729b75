#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "encoders/auditable.h"
#include "frontends/ciber/network_query.h"

namespace wmi::frontends {

/// The problem embedded in the certificate of a question about a network, as SMT-LIB in parts: a
/// checker may substitute its own encoding of the network for `network`.
struct EmbeddedProblem {
  std::vector<encoders::NamedValue> values;  // parameters and inputs: constants or unknowns
  std::string network;                       // definitions of the terms that the statement names
  std::string statement;  // densities, likelihood and queries; empty: all is in `network`

  /// The whole problem.
  std::string text() const;
  /// The head of a certificate (docs/certificate.md).
  void write(std::ostream& out) const;
};

/// The queries of `make_task`, in the same order. Throws Error.
EmbeddedProblem embedded_problem(const encoders::Network& network, const NetworkQuery& asked);

/// The problem of such parts, or, if the question cannot be made of parts (`make` throws Error, or
/// there is no task), the whole of `fallback`.
EmbeddedProblem embedded_problem(const std::function<AuditableQuery()>& make,
                                 const std::function<Task()>& fallback);

}  // namespace wmi::frontends
