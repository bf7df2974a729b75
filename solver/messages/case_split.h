#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/enumerators/goal.h"
#include "solver/terms/problem.h"

namespace wmi {

/// When a problem is split into cases: with so many reals, and into so many cases at most, four times
/// as many for each real more. A case takes a millisecond, while a search takes some twenty times as
/// long for each real more.
struct CaseRules {
  std::size_t least_reals = 7;
  std::size_t most_cases = 4;
};

/// Problems whose measures add up to that of the problem where the goal's condition holds: one for
/// each way in which a few of its Booleans and atoms are decided. In each, single variables separate
/// small blocks, which they do not in the problem itself. nullopt if no such cases are found, or a
/// search is not slower. With
///
///     b: x < y < z < w        not b: w < y < x < z
///
/// b and all four reals are one block; with b decided there are three of two reals. A variable and
/// Booleans together separate a problem in the same way.
std::optional<std::vector<Problem>> split_into_cases(const Problem& problem, const Goal& goal,
                                                     const CaseRules& rules = {});

}  // namespace wmi
