#pragma once

#include <cstddef>
#include <vector>

#include "solver/certificates/proof_state.h"
#include "solver/enumerators/components.h"
#include "solver/integrators/factored.h"

namespace wmi {

/// The active integrals of a scope, by number. Those with known terms can be products; they are
/// grouped by their open conditions.
struct Groups {
  std::vector<std::vector<std::size_t>> alike;
  std::vector<Formula> conditions;  // of the first group
  std::vector<std::size_t> unfit;   // slices, unknown terms, and those that are 0 here
};
Groups group_integrals(const ProofState& state, const Scope& scope);

/// A scope as a product: a part for each component, and one for the remaining coordinates. If
/// integrals are summed up, each is a sum of products of integrals of the parts.
struct Decomposition {
  std::vector<Scope> parts;
  std::vector<std::size_t> integrals;  // of the whole, those that are summed up and not 0
  Factored integrands;                 // of these
};
Decomposition decompose(ProofState& state, const Scope& scope,
                        const std::vector<Component>& components, bool summed);

/// Adds the products of the parts' integrals to the sums of the whole.
void multiply(const Decomposition& decomposition, const std::vector<Scope>& parts, Scope& whole);

}  // namespace wmi
