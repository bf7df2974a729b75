#pragma once

#include <optional>

#include "solver/messages/cut_box.h"

namespace wmi {

/// The exact integral over a box with one cut of a product of polynomials in one real each; nullopt
/// if the box is not of this kind, or that would take too long. The time grows with the number of
/// different sums of subsets of half of the cut's terms.
std::optional<Rational> integral_under_cut(const CutBox& box);

}  // namespace wmi
