#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/goal.h"
#include "solver/terms/problem.h"

namespace wmi {

/// A problem in other coordinates: the same integrals.
struct JointCoordinates {
  Problem problem;
  std::vector<Goal> goals;
};

/// Replaces reals that separate small blocks only together with Booleans by one real each, that
/// stands for all of them: it has a copy of the real's range for each value of the Booleans. With x
/// in [0, 1],
///
///     x and b  are, with z in [0, 2],  b = (z > 1)  and  x = (ite (> z 1) (- z 1) z)
///
/// so that messages to a real are messages to a real and Booleans. Returns nullopt if no such change
/// leaves a forest of blocks of two reals.
std::optional<JointCoordinates> in_joint_coordinates(const Problem& problem,
                                                     std::span<const Goal> goals);

}  // namespace wmi
