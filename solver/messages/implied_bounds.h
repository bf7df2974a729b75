#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "solver/terms/problem.h"

namespace wmi {

/// A lower and an upper bound of each declared real, where the problem's linear conjuncts imply one:
/// not the tightest, but one wherever a chain of them gives one. So x <= y <= z bounds y by bounds
/// of x and z.
std::vector<std::pair<std::optional<Rational>, std::optional<Rational>>> implied_bounds(
    const Problem& problem);

}  // namespace wmi
