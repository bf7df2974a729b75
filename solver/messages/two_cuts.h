#pragma once

#include <optional>

#include "solver/messages/cut_box.h"

namespace wmi {

/// The integral over a box with two cuts, exactly and without vertices: in time 2^(k/2), k the number
/// of reals, of which a cut box has up to k^2 2^k vertices. Requires that both forms have all of the
/// same reals, and that no two of these have proportional coefficients; otherwise, for very many
/// reals, and for bounds with nothing in between, nullopt.
std::optional<Rational> integral_between_two_cuts(const CutBox& box);

}  // namespace wmi
