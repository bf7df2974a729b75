#pragma once

#include <cstdint>
#include <vector>

#include "solver/certificates/proof_state.h"

namespace wmi {

/// Decided atoms, by node, that suffice to make a formula of the scope false, or the weight 0, or
/// the conditions of all its integrals false.
std::vector<std::uint32_t> reasons(const ProofState& state, const Scope& scope);

}  // namespace wmi
