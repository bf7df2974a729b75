#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "solver/blocks.h"
#include "solver/halfspace.h"
#include "solver/polynomial.h"
#include "solver/region.h"

namespace wmi {

/// One convex piece: its region, and what is to be integrated over it.
///
/// On it the formula is true, every weight is one polynomial and every derived real one affine
/// form, so all that is left is geometry in the coordinates of the integrated reals (or, in a
/// slice for a density, all but one of them).
struct Cell {
  std::vector<Variable> variables;  // the integrated reals that are its coordinates
  std::variant<std::vector<Halfspace>, Blocks> bounds;  // redundant halfspaces included
  std::vector<Polynomial> integrands;
  std::vector<std::vector<std::size_t>> sums;  // of each integrand: those its integral belongs to

  std::vector<Halfspace> halfspaces() const {
    const auto* const given = std::get_if<std::vector<Halfspace>>(&bounds);
    return given != nullptr ? *given : std::get<Blocks>(bounds).halfspaces();
  }

  /// Throws Unbounded.
  Region region() const {
    const auto* const given = std::get_if<std::vector<Halfspace>>(&bounds);
    return given != nullptr ? make_region(variables.size(), *given)
                            : std::get<Blocks>(bounds).region();
  }
};

}  // namespace wmi
