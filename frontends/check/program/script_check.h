#pragma once

#include <string>
#include <vector>

#include "encoders/network.h"
#include "frontends/check/checker.h"
#include "frontends/check/program/network.h"

namespace wmi::check {

/// The answers that a certificate proves, to the queries of each task of a script.
struct CheckedScript {
  Script script;
  std::vector<std::vector<Certified>> answers;
  Counts counts;
  std::string trust = {};  // of an embedded problem: who has encoded the network
};

/// Checks the rest of a certificate, from its mark on, against a script. Throws Rejected and others.
CheckedScript check_script(Script script, Bytes& in);

/// Likewise against the embedded problem, and again with the network re-encoded, if there is one and
/// it consists of layers that can be: then `trust` begins with `network: re-encoded`.
CheckedScript check_embedded(const EmbeddedProblem& embedded, const encoders::Network* network,
                             Bytes& in);

}  // namespace wmi::check
