#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/terms/query.h"

namespace wmi {

/// An integral that a certificate is about: over the models that satisfy the conditions, of the
/// weight times a power of a term; or of the weight over the slice term = at.
struct CertifiedIntegral {
  std::vector<Formula> conditions = {};
  std::optional<Polynomial> term = {};
  unsigned order = 0;  // the power
  bool sliced = false;
  Rational at = {};
};

/// The integrals that a query asks for, in the order in which a certificate numbers them; none if
/// its answer cannot be certified. A distribution function is the probability of its event.
std::vector<CertifiedIntegral> aims_of(const Query& query);

/// Of all queries of a task.
std::vector<CertifiedIntegral> aims_of(const Task& task);

/// A task as its certificate sees it: without observations, and with an event for each distribution
/// function, which is then a probability.
Task certified(const Task& task);

/// All conditions together.
Truth condition(const CertifiedIntegral& aim, const Branch& branch);
/// Those that are not known yet.
std::vector<Formula> open_conditions(const CertifiedIntegral& aim, const Branch& branch);

/// The nodes that decide the problem and the aims, children first.
std::vector<std::uint32_t> cone(const Problem& problem, std::span<const CertifiedIntegral> aims);

}  // namespace wmi
