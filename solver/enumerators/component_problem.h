#pragma once

#include "solver/enumerators/branch.h"
#include "solver/enumerators/cell.h"
#include "solver/enumerators/components.h"
#include "solver/geometry/product_region.h"

namespace wmi {

/// A component as a problem of its own. Its reals and Booleans are numbered in order, so that the
/// same component, met on another path, is the same problem.
Part component_problem(const Problem& problem, const Branch& branch, const ProductRegion& region,
                       const Component& component);

}  // namespace wmi
