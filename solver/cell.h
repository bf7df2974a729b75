#pragma once

#include <cstddef>
#include <vector>

#include "solver/halfspace.h"
#include "solver/polynomial.h"
#include "solver/polytope.h"

namespace wmi {

/// One convex piece: its region, and what is to be integrated over it.
///
/// On it the formula is true, every weight is one polynomial and every derived real one affine
/// form, so all that is left is geometry in the coordinates of the integrated reals (or, in a
/// slice for a density, all but one of them).
struct Cell {
  std::vector<Variable> variables;    // the integrated reals that are its coordinates
  std::vector<Halfspace> halfspaces;  // redundant ones included
  std::vector<Polynomial> integrands;
  std::vector<std::vector<std::size_t>> sums;  // of each integrand: those its integral belongs to

  Polytope region() const { return Polytope(variables.size(), halfspaces); }
};

}  // namespace wmi
