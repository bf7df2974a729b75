#pragma once

#include <vector>

#include "solver/geometry/polytope.h"

namespace wmi {

/// Simplices, each as n+1 numbers of vertices, that tile a polytope which is not flat: in each face
/// the vertex with the smallest number is joined to the facets that do not contain it (a pulling
/// triangulation).
std::vector<std::vector<std::size_t>> triangulated(const Polytope& polytope);

}  // namespace wmi
