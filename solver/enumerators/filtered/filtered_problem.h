#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/defined.h"
#include "solver/enumerators/filtered/ball_polynomial.h"
#include "solver/enumerators/filtered/compiled_forms.h"
#include "solver/geometry/filtered_polytope.h"
#include "solver/terms/interval.h"

namespace wmi {

struct ExponentialDensity;

/// A problem that can be searched in doubles with exact numbers behind them: in a box of few reals,
/// without Booleans, with affine definitions.
struct FilteredProblem {
  std::shared_ptr<const Defined> defined;
  std::shared_ptr<const CompiledForms> forms;
  /// The box: for each real its lower and its upper side, which are literals of the problem.
  std::vector<FilteredPolytope::Side> lower, upper;
  std::vector<PathDecision> sides;
  Rational scale;  // the volume of a unit cube of normalised coordinates
  /// The weight of a cell is `constant_weight`, which includes the scale, times those factors of
  /// `weights` whose condition holds there.
  struct WeightFactor {
    Formula condition;
    CompiledForms::LoosePolynomial value;
  };
  BallPolynomial constant_weight;
  std::vector<WeightFactor> weights;
  /// Those, and constant ones: all weights but the density.
  std::vector<Weight> polynomial_weights;
  /// In normalised coordinates, another factor; null: 1.
  std::shared_ptr<const ExponentialDensity> density;
  std::vector<std::vector<CompiledForms::LoosePolynomial>> summands;  // of each goal: their terms
  /// Of each goal, and last of the assertions: the atoms that they are made of, whether or not these
  /// are conditions of definitions.
  std::vector<std::vector<std::uint32_t>> formula_atoms;

  /// An upper bound of the weight, its density left out, in the whole box, if no weight is negative;
  /// and of each summand of each goal the range of its term there. Nullopt if it is unbounded.
  struct WholeBox {
    std::optional<Rational> most_weight;
    std::vector<std::vector<std::optional<Interval>>> ranges;
  };
  WholeBox whole_box() const;

  /// Whether it is such a problem, as far as can be told at a glance, and its numbers are so long that
  /// exact ones are dear.
  static bool suits(const Defined& defined);
  /// Null if it is none.
  static std::shared_ptr<const FilteredProblem> make(std::shared_ptr<const Defined> defined);
};

}  // namespace wmi
