#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/terms/query.h"

namespace wmi {

/// An integral whose value a certificate proves: over the models that satisfy the conditions, of
/// the weight times a power of a term; or of the weight over the slice term = at.
struct CertifiedIntegral {
  std::vector<Formula> conditions = {};
  std::optional<Polynomial> term = {};
  unsigned order = 0;  // the power
  bool sliced = false;
  Rational at = {};
};

/// The integrals that the answer to a query is made of, in the order in which a certificate numbers
/// them; none if the answer cannot be certified. A cdf is the probability of its event.
std::vector<CertifiedIntegral> integrals_of(const Query& query);

/// The integrals of all queries of a task.
std::vector<CertifiedIntegral> integrals_of(const Task& task);

/// The task that is certified: without observations, and with each cdf as the probability of an
/// event.
Task certified(const Task& task);

/// The conjunction of all conditions.
Truth condition(const CertifiedIntegral& integral, const Branch& branch);
/// The conditions that are not decided yet.
std::vector<Formula> open_conditions(const CertifiedIntegral& integral, const Branch& branch);

/// The nodes that decide the problem and the integrals, children first.
std::vector<std::uint32_t> cone(const Problem& problem,
                                std::span<const CertifiedIntegral> integrals);

}  // namespace wmi
