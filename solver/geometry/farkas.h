#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/terms/linear_form.h"

namespace wmi {

/// Why a form is nowhere above 0 where none of `rows` is: multipliers for the rows, none negative,
/// such that their sum is the form plus a constant that is not negative. Nothing if it is not so,
/// or if the rows leave no point.
std::optional<std::vector<Rational>> implied_by(const LinearForm& form,
                                                std::span<const LinearForm> rows);

}  // namespace wmi
