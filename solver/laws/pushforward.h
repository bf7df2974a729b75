#pragma once

#include "solver/geometry/region.h"
#include "solver/laws/truncated_powers.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// The law of an affine form over a region with a polynomial weight: the image of the measure
/// weight(x) dx under x -> form(x). The result is settled.
///
///     const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
///     const Region square =
///         make_region(2, {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 0}, {{0, 1}, 1}});
///     pushforward(square, 1, LinearForm(x + y));  // a triangle on [0, 2]
TruncatedPowers pushforward(const Region& region, const Polynomial& weight, const LinearForm& form);

}  // namespace wmi
