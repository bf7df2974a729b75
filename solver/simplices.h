#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/polytope.h"

namespace wmi {

/// A triangulation of a polytope that is not flat, face to face: n+1 vertices for each simplex, in
/// ascending order. Pulls the first vertex of each face. Throws GaveUp beyond `most` simplices.
std::vector<std::vector<std::uint32_t>> simplices(const Polytope& polytope,
                                                  std::size_t most = 1'000'000);

}  // namespace wmi
