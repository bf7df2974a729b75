#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/goal.h"
#include "solver/terms/problem.h"

namespace wmi {

/// A problem in other coordinates: the same integrals.
struct PartialSums {
  Problem problem;
  std::vector<Goal> goals;
};

/// Replaces the reals of long linear forms by partial sums of them, so that what relates many reals
/// relates neighbours only:
///
///     x + y + z + w <= 2, each in [0, 1]
///
/// is, with a = x, b = x + y, c = x + y + z, d = x + y + z + w, the chain d <= 2, d - c in [0, 1],
/// c - b in [0, 1], b - a in [0, 1], a in [0, 1]. Shorter forms that are partial sums as well become
/// single variables. Returns nullopt if no form has three reals, or different ones share some.
std::optional<PartialSums> in_partial_sums(const Problem& problem, std::span<const Goal> goals);

}  // namespace wmi
