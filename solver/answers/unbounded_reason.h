#pragma once

#include <string>

#include "solver/enumerators/cell.h"
#include "solver/geometry/polytope.h"
#include "solver/terms/formula.h"

namespace wmi {

/// `region is unbounded in direction (0, 1); bound 'y' above`
std::string unbounded_reason(const Unbounded& unbounded, const Cell& cell, const Terms& terms);

}  // namespace wmi
