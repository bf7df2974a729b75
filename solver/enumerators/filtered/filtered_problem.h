#pragma once

#include <memory>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/defined.h"
#include "solver/enumerators/filtered/compiled_forms.h"
#include "solver/geometry/filtered_polytope.h"

namespace wmi {

/// A problem that can be searched in doubles with exact numbers behind them: in a box of few reals,
/// without Booleans, with affine definitions.
struct FilteredProblem {
  std::shared_ptr<const Defined> defined;
  std::shared_ptr<const CompiledForms> forms;
  /// The box: for each real its lower and its upper side, which are literals of the problem.
  std::vector<FilteredPolytope::Side> lower, upper;
  std::vector<PathDecision> sides;

  /// Null if it is not such a problem, or if its numbers are short and so exact ones cheap.
  static std::shared_ptr<const FilteredProblem> make(std::shared_ptr<const Defined> defined);
};

}  // namespace wmi
