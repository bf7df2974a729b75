#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/goal.h"

namespace wmi {

/// A problem and its goals without derived reals: each is replaced by the term that defines it.
struct Defined {
  Problem problem;
  std::vector<Goal> goals;
  std::vector<Variable> variables;  // of each real, its number in the problem as it was
  bool nested = false;              // cells have weights that are not multiplied out
};

/// Finds the definitions of the derived reals among the assertions if they are syntactic: an
/// equation, or two of them under a condition and its negation,
///
///     (= z (+ w 1))      (=> c (= z w)) (=> (not c) (= z 0))      (ite c (= z w) (= z 0))
///
/// in an order in which each depends only on those before it. Such derived reals are functions, and
/// need no check. Returns nullopt if a derived real has no such definition.
std::optional<Defined> define(const Problem& problem, std::span<const Goal> goals);

/// Are the weights so long when they are multiplied out, and the goals such, that cells should have
/// them as they are?
bool should_nest(const Problem& problem, std::span<const Goal> goals);

}  // namespace wmi
