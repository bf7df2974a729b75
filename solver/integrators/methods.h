#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/integrators/face_plan.h"
#include "solver/terms/interval.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// What the integrator `auto` chooses from. All require a region that is not flat.

/// Exact, along the plan of the region.
std::vector<Interval> integrate_faces(std::span<const Polynomial> integrands,
                                      const Polytope& region, const FacePlan& plan);

/// Along the plan, in doubles that are rounded outwards; nothing if one of them left the range of
/// normal numbers.
std::optional<std::vector<Interval>> enclose_faces(std::span<const Polynomial> integrands,
                                                   const Polytope& region, const FacePlan& plan);

/// Exact, if the region is a box and the integrands are any polynomials, or a box between two
/// parallel hyperplanes (or under one) and the integrands are polynomials in their linear form.
std::optional<std::vector<Interval>> integrate_closed_form(std::span<const Polynomial> integrands,
                                                           const Polytope& region);

}  // namespace wmi
