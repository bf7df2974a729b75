#pragma once

#include "frontends/check/path.h"
#include "solver/terms/accumulator.h"

namespace wmi::check {

/// An integral over the models that satisfy the conditions: of the weight times a power of a term;
/// or, with a value of it, of the weight over the slice where the term has this value.
struct Goal {
  std::vector<Formula> conditions = {};
  Polynomial term = {};
  unsigned order = 0;
  std::optional<Rational> at = {};
  Accumulator sum = {}, left = {}, right = {};  // of a slice, the sum is that of a point mass
  bool unbounded = false;  // of a slice, where an open leaf may have any part of it
};

/// What is summed up below a node: integrals in some reals and Booleans, of some weights, where
/// some formulas hold.
struct Part {
  Set reals = {}, booleans = {};  // by number
  std::vector<Formula> formulas = {};
  std::vector<const Weight*> weights = {};
  std::vector<Goal> goals = {};
  Set active = {};  // the numbers of the goals that are summed up here
};

/// A form that is not above 0 here.
struct Row {
  LinearForm form;
  bool implied;  // by rows before it: the other side is thin
};

/// What a tree has.
struct Counts {
  std::size_t nodes = 0, cells = 0, open = 0;
};

/// Where the walk through the tree is.
struct CheckState {
  const Problem& problem;
  Bytes& in;
  Counts& counts;
  Path path;
  Part part;
  std::vector<Row> rows = {};
  bool refuting = false;  // an equation does not hold that must hold

  bool in_part(const LinearForm& form) const {
    return std::ranges::all_of(
        form.coefficients, [&](const auto& entry) { return contains(part.reals, entry.first); });
  }
  /// Booleans of the part that are not decided.
  Set undecided() const {
    Set result = part.booleans;
    for (const std::size_t boolean : members(part.booleans))
      if (path.truth(problem.terms.boolean(static_cast<std::uint32_t>(boolean))) != Truth::unknown)
        mpz_clrbit(result.get_mpz_t(), boolean);
    return result;
  }
  /// From now on, until the path is undone, only what the part sums up matters.
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
