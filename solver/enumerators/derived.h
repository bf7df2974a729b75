#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/terms/problem.h"

namespace wmi {

/// The derived reals of a problem, as far as equations determine them.
struct Elimination {
  /// The equations hold on a set without volume in the integrated reals, or nowhere.
  bool flat = false;
  /// A derived real that the equations do not determine, if any.
  std::optional<Variable> undetermined;
  /// The derived reals as affine forms in the integrated ones, by variable; nullopt for others.
  std::vector<std::optional<Polynomial>> values;

  /// A polynomial in the declared reals, with those that have a value replaced.
  Polynomial operator()(const Polynomial& polynomial) const;
  LinearForm operator()(const LinearForm& form) const;

  /// Solves form = 0, in which all that have a value are replaced, for its first derived real;
  /// false if it has none.
  bool solve(const Problem& problem, const LinearForm& form);
};

/// Solves the equations form = 0 for the derived reals.
Elimination eliminate(const Problem& problem, std::span<const LinearForm> equations);

}  // namespace wmi
