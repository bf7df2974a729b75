#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/problem.h"

namespace wmi {

/// What equations say of the derived reals of a problem.
struct Elimination {
  /// The equations hold on a set without volume in the integrated reals, or nowhere.
  bool flat = false;
  /// A derived real that the equations leave open.
  std::optional<Variable> undetermined;
  /// The derived reals as affine forms in the integrated ones, by variable; nothing for others.
  std::vector<std::optional<Polynomial>> values;

  /// A polynomial in the declared reals, in the integrated ones.
  Polynomial operator()(const Polynomial& polynomial) const;
};

/// Solves the equations form = 0 for the derived reals.
Elimination eliminate(const Problem& problem, std::span<const LinearForm> equations);

}  // namespace wmi
