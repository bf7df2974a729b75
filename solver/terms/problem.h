#pragma once

#include <algorithm>
#include <vector>

#include "solver/terms/error.h"
#include "solver/terms/formula.h"

namespace wmi {

/// A factor of the weight function: `value` where `condition` holds, 1 elsewhere.
struct Weight {
  Formula condition;
  Polynomial value;

  friend bool operator==(const Weight&, const Weight&) = default;
};

/// Evidence on an integrated real: the measure is restricted to the slice variable = value.
struct Observation {
  Variable variable;
  Rational value;

  friend bool operator==(const Observation&, const Observation&) = default;
};

/// A weighted model integration problem: variables, a formula, and weights.
///
/// The declared reals have the numbers 0 ... integrated.size()-1 in `terms`; defined ones follow.
/// A declared real that is not integrated is *derived*: a function of the others.
struct Problem {
  Terms terms;
  std::vector<bool> integrated;  // of each declared real
  std::vector<Formula> assertions;
  std::vector<Weight> weights;
  std::vector<Observation> observations;

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// True when every variable of the form is integrated.
inline bool in_integrated(const Problem& problem, const LinearForm& form) {
  return std::all_of(form.coefficients.begin(), form.coefficients.end(),
                     [&](const auto& entry) { return problem.integrated[entry.first]; });
}

/// Is there a weight that is no piecewise polynomial?
bool has_smooth_weights(const Problem& problem);

/// The conjuncts of the assertions, nested conjunctions flattened, each once.
std::vector<Formula> conjuncts(const Problem& problem);

}  // namespace wmi
