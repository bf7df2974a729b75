#pragma once

#include "solver/geometry/region.h"
#include "solver/laws/truncated_powers.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// The law of an affine form over a region, with a polynomial as its weight: the image of the
/// measure weight(x) dx under x -> form(x). Settled.
///
///     pushforward(unit_square, 1, x + y);  // a triangle on [0, 2]
TruncatedPowers pushforward(const Region& region, const Polynomial& weight, const LinearForm& form);

}  // namespace wmi
