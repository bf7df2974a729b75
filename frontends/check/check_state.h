#pragma once

#include "frontends/check/path.h"
#include "solver/terms/accumulator.h"

namespace wmi::check {

/// An integral to be checked, over the models that satisfy the conditions: of the weight times a
/// power of a term; or, with `at`, of the weight over the slice term = at.
struct Goal {
  std::vector<Formula> conditions = {};
  Polynomial term = {};
  unsigned order = 0;
  std::optional<Rational> at = {};
  Accumulator sum = {}, left = {}, right = {};  // of a slice, the sum is that of a point mass
  bool unbounded = false;                       // of a slice: an open leaf may contribute anything
};

/// The subject of a subtree: integrals over some reals and Booleans, of some weights, where some
/// formulas hold.
struct Part {
  Set reals = {}, booleans = {};  // by number
  std::vector<Formula> formulas = {};
  std::vector<const Weight*> weights = {};
  std::vector<Goal> goals = {};
  Set active = {};  // the goals that are active here, by number
};

/// A form that is <= 0 on the path.
struct Row {
  LinearForm form;
  bool implied;  // by rows before it: the other side is thin
};

/// The size of a tree.
struct Counts {
  std::size_t nodes = 0, cells = 0, open = 0;
};

/// The state of the walk through the tree.
struct CheckState {
  const Problem& problem;
  Bytes& in;
  Counts& counts;
  Path path;
  Part part;
  std::vector<Row> rows = {};
  bool refuting = false;  // an equation that must hold does not hold

  bool in_part(const LinearForm& form) const {
    return std::ranges::all_of(
        form.coefficients, [&](const auto& entry) { return contains(part.reals, entry.first); });
  }
  /// The undecided Booleans of the part.
  Set undecided() const {
    Set result = part.booleans;
    for (const std::size_t boolean : members(part.booleans))
      if (path.truth(problem.terms.boolean(static_cast<std::uint32_t>(boolean))) != Truth::unknown)
        mpz_clrbit(result.get_mpz_t(), boolean);
    return result;
  }
  /// Until the path is undone, only nodes of the part's formulas, weights and goals are evaluated.
  void focus() {
    Roots all{part.formulas, {}};
    for (const Weight* const weight : part.weights) all.add(*weight);
    for (const std::size_t i : members(part.active)) {
      const Goal& goal = part.goals[i];
      all.formulas.insert(all.formulas.end(), goal.conditions.begin(), goal.conditions.end());
      all.polynomials.push_back(goal.term);
    }
    path.focus(all);
  }
};

}  // namespace wmi::check
