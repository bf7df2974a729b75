#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encoders/auditable.h"
#include "encoders/encode.h"
#include "frontends/ciber/network_query.h"
#include "frontends/networks/onnx/read_onnx.h"
#include "frontends/python/core/problems.h"
#include "solver/terms/interval.h"

namespace wmi::python {

/// A network that was read, shared with work that may outlive a call.
using SharedNetwork = std::shared_ptr<const frontends::onnx::ReadNetwork>;

/// The network of a file in any form. Throws Error whose message names the file.
SharedNetwork read_network_file(const std::string& path);

/// The network of the bytes of a safetensors file. Throws Error.
SharedNetwork parse_network(const std::string& bytes);

/// How many numbers the network puts out. Throws Error if its layers and tensors do not fit together.
std::size_t output_size(const encoders::Network& network);

/// The outputs at an input, exactly; with smooth layers, their bounds. Throws Error.
std::vector<Interval> run_network(const encoders::Network& network,
                                  const encoders::Tensor<Rational>& input);

/// What is known and what is random in a question about a network.
struct NetworkValues {
  encoders::Tensor<Rational> input;  // of no meaning for inputs that are unknown
  std::vector<encoders::Unknown> unknowns;
  std::optional<Rational> width = {};  // of the bounds of smooth layers
  encoders::Outcome outcome = {};
};

/// A network as a problem.
///
/// Its names are the unknowns, the outputs `out[0]` and units that were asked for, `fc1[3]`. A term
/// behind a smooth layer is known only between bounds, which are called `lower out[0]` and
/// `upper out[0]`.
struct EncodedNetwork {
  NamedProblem problem;
  std::map<Variable, UnitName> units;  // of defined reals
  std::vector<std::string> bounded;    // terms that have such bounds
};

/// Throws Error, also for a unit that does not exist.
EncodedNetwork encode_network(const encoders::Network& network, const NetworkValues& values,
                              const std::vector<std::string>& units);

/// The same in parts, for certificates that can be checked against the network itself. Throws Error
/// if it cannot be made of parts.
struct AuditableNetwork {
  encoders::AuditableEncoding parts;
  NamedProblem statement;
};
AuditableNetwork encode_auditable(const encoders::Network& network, const NetworkValues& values,
                                  const std::vector<std::string>& units);

/// A task about a network as its certificate contains it: the head of the certificate, the problem as
/// SMT-LIB, and the task that reading it gives.
struct EmbeddedTask {
  std::string head;
  std::string text;
  Task task;
};

/// Of a question in parts, or, if there are none, of `task`, whose assumptions and bounded queries the
/// result has.
EmbeddedTask embedded_task(const std::optional<frontends::AuditableQuery>& parts, const Task& task);

}  // namespace wmi::python
