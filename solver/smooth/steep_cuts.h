#pragma once

#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// Does it change around 0, and is it constant but for e^-|t| far from it?
bool is_step(Function function);

/// The region cut where a sigmoid, tanh or erf of a linear form is steep: along the hyperplanes on
/// which its argument is 0. Of many, the steepest.
///
/// Near such a hyperplane, simplices that have edges on it may be flat; others must be small in all
/// directions, and as many as the form is steep.
std::vector<Polytope> cut_where_steep(const SmoothIntegrand& integrand, const Polytope& region);

}  // namespace wmi
