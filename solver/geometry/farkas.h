#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/terms/linear_form.h"

namespace wmi {

/// A Farkas certificate that form <= 0 wherever all rows are <= 0: non-negative multipliers for the
/// rows whose weighted sum is the form plus a non-negative constant. Returns nullopt if the
/// implication does not hold, or if no point satisfies the rows.
std::optional<std::vector<Rational>> implied_by(const LinearForm& form,
                                                std::span<const LinearForm> rows);

}  // namespace wmi
