#pragma once

#include <optional>
#include <stop_token>

#include "solver/messages/cut_box.h"

namespace wmi {

/// The integral over a box with two cuts of a product of polynomials in one real each, exactly and
/// without vertices. Requires that both forms have the same reals, and that no two of these have
/// proportional coefficients; otherwise, for bounds with nothing in between, and where that would
/// take too much memory, nullopt. Throws Stopped.
std::optional<Rational> integral_between_weighted_cuts(const CutBox& box,
                                                       const std::stop_token& stop = {});

}  // namespace wmi
