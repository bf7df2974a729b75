#pragma once

#include <cstdint>
#include <vector>

#include "solver/certificates/proof_state.h"

namespace wmi {

/// Atoms that make a formula of the scope false, or the weight 0, or the conditions of all its aims
/// false, whichever it is: enough of those that are decided, by node.
std::vector<std::uint32_t> reasons(const ProofState& place, const Scope& scope);

}  // namespace wmi
