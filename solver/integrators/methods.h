#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/integrators/face_plan.h"
#include "solver/terms/interval.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// The methods that the integrator `auto` chooses from. All require a region that is not flat; those
/// by a plan throw PlanTooLarge.

/// Exact, by the plan of the region.
std::vector<Interval> integrate_faces(std::span<const Polynomial> integrands,
                                      const Polytope& region, const FacePlan& plan);

/// By the plan of the region, in doubles rounded outwards; nullopt if a number leaves the range of
/// normal doubles.
std::optional<std::vector<Interval>> enclose_faces(std::span<const Polynomial> integrands,
                                                   const Polytope& region, const FacePlan& plan);

/// Exact, if the region is a box, or a box cut by one hyperplane or by two parallel ones and the
/// integrands are polynomials in their linear form. Otherwise nullopt.
std::optional<std::vector<Interval>> integrate_closed_form(std::span<const Polynomial> integrands,
                                                           const Polytope& region);

}  // namespace wmi
