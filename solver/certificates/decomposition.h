#pragma once

#include <cstddef>
#include <vector>

#include "solver/certificates/proof_state.h"
#include "solver/enumerators/components.h"
#include "solver/integrators/factored.h"

namespace wmi {

/// The active aims of a scope, by number. Those whose integrals can be products have known terms;
/// they come in groups with the same open conditions.
struct Groups {
  std::vector<std::vector<std::size_t>> alike;
  std::vector<Formula> conditions;  // of the first group
  std::vector<std::size_t> unfit;   // slices, terms that are not known, and those that are 0 here
};
Groups group_aims(const ProofState& place, const Scope& scope);

/// A scope that has fallen apart: a part for each component, and one for the coordinates that none
/// of them has. Where there are sums, each aim is a sum of products of aims of the parts.
struct Decomposition {
  std::vector<Scope> parts;
  std::vector<std::size_t> aims;  // of the whole, those that are summed up and not 0
  Factored integrands;            // of these
};
Decomposition take_apart(ProofState& place, const Scope& scope,
                         const std::vector<Component>& components, bool summed);

/// Adds to the tallies of the whole what those of the parts come to.
void multiply(const Decomposition& apart, const std::vector<Scope>& parts, Scope& whole);

}  // namespace wmi
