#pragma once

#include <vector>

#include "encoders/network.h"
#include "frontends/ciber/network_query.h"
#include "frontends/ciber/verify/verify_inputs.h"
#include "frontends/formats/vnnlib.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// A network, a property that says where it is unsafe, and what is random.
///
/// With F the property and R its input region (F with every atom about outputs replaced by true),
/// the question is P(F | R) for inputs with the given laws.
struct VerificationProblem {
  encoders::Network network;
  Property property;
  VerifyInputs inputs;
  std::vector<Property> regions;  // whose union the property is; one: itself
};

/// Throws Error.
VerificationProblem make_verification_problem(encoders::Network network, Property property,
                                              const VerifyArguments& arguments);

/// The probability of the property and, if it has several regions, of each of them.
Task probability_task(const VerificationProblem& problem);

/// The same with the network encoded separately from the statement, for certificates.
AuditableQuery auditable_probability(const VerificationProblem& problem);

/// The volume of the part of the whole box where the *relaxed* property may hold, whatever the laws.
///
/// If the network is continuous and this is 0, no point of the box has the property: each would have
/// a neighbourhood in which the relaxed property holds, and a box meets the neighbourhoods of its
/// points in sets of positive volume. So counterexamples of measure 0 are excluded as well.
Task relaxed_task(const VerificationProblem& problem);

/// Whether layers draw random masks.
bool has_masks(const encoders::Network& network);

/// Whether the input region is more than the box: P(R) may then be 0.
bool has_shape(const VerificationProblem& problem);

}  // namespace wmi::frontends
