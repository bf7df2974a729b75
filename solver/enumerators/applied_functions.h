#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/terms/applied_function.h"

namespace wmi {

/// The smooth functions that these integrands, in coordinates, depend on, arguments before the
/// functions of them. `to_coordinates` is applied to the arguments, which are in the declared reals.
std::vector<AppliedFunction> applied_functions(
    const Problem& problem, const Branch& branch, std::span<const Polynomial> integrands,
    const std::function<Polynomial(const Polynomial&)>& to_coordinates);

}  // namespace wmi
