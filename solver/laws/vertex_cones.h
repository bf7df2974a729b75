#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/laws/truncated_powers.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// The laws of an affine form over a polytope under several weights, from the cones at its vertices
/// (Brion): much faster than simplex by simplex. Returns nullopt if it does not apply, because a
/// vertex is on more than n facets or the form is constant along an edge. Throws PlanTooLarge.
std::optional<std::vector<TruncatedPowers>> images_by_cones(const Polytope& region,
                                                            std::span<const Polynomial> weights,
                                                            const LinearForm& form);

}  // namespace wmi
