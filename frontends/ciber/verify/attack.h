#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>

#include "frontends/ciber/verify/verification_problem.h"
#include "frontends/ciber/verify/witness.h"

namespace wmi::frontends {

/// Runs of the network that cost next to nothing: fewer, the larger it is.
std::size_t cheap_runs(const encoders::Network& network);

/// Looks for a witness by a random local search in doubles, with so many runs of the network; what
/// it finds is checked exactly. The same for the same problem. Requires a network without dropout
/// masks.
std::optional<Witness> attack(const VerificationProblem& problem, std::size_t runs,
                              const std::stop_token& stop = {});

}  // namespace wmi::frontends
