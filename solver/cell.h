#pragma once

#include <cstddef>
#include <vector>

#include "solver/halfspace.h"
#include "solver/polynomial.h"
#include "solver/polytope.h"

namespace wmi {

/// A polynomial to be integrated over a cell, and the sums that its integral belongs to.
struct Share {
  Polynomial integrand;
  std::vector<std::size_t> sums;

  friend bool operator==(const Share&, const Share&) = default;
};

/// One convex piece: its region, and what is to be integrated over it.
///
/// On it the formula is true, every weight is one polynomial and every derived real one affine
/// form, so all that is left is geometry in the coordinates of the integrated reals (or, in a
/// slice for a density, all but one of them).
struct Cell {
  std::size_t dimension;
  std::vector<Halfspace> halfspaces;  // redundant ones included
  std::vector<Share> shares;

  Polytope region() const { return Polytope(dimension, halfspaces); }
};

}  // namespace wmi
