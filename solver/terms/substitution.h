#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/terms/query.h"

namespace wmi {

/// Copies formulas and polynomials from one `Terms` to another (or the same), replacing variables.
///
/// Every declared variable that occurs must have been given a value. Nodes are rebuilt bottom up,
/// so parts that become constant are simplified away.
///
///     Terms source, target;
///     const Variable x = source.declare_real("x");
///     const Formula positive = source.less(0, Polynomial::variable(x));
///     Substitution substitution(source, target);
///     substitution.set_real(x, Rational(1));  // observe x = 1
///     substitution(positive);                 // truth
class Substitution {
 public:
  Substitution(const Terms& source, Terms& target);

  void set_real(Variable variable, Polynomial value);
  void set_boolean(std::uint32_t boolean, Formula value);

  /// Rebuilds all of these in one walk. Optional, but faster than one by one.
  void prepare(std::span<const Formula> formulas, std::span<const Polynomial> polynomials);

  Formula operator()(Formula formula);
  Polynomial operator()(const Polynomial& polynomial);

 private:
  void rebuild(std::span<const std::uint32_t> nodes);
  Formula rebuilt(Formula formula) const;
  Formula rebuilt(const Atom& atom) const;
  Polynomial rebuilt(const Polynomial& polynomial) const;

  const Terms& source_;
  Terms& target_;
  /// The variable that replaces this one, if its value is one.
  std::optional<Variable> renamed(Variable variable) const;

  std::vector<std::optional<Polynomial>> reals_;
  std::vector<std::optional<Formula>> booleans_;
  std::vector<std::optional<Formula>> nodes_;  // a definition's is set once its real has a value
};

/// The task with its terms renumbered by a walk from its roots, without unused ones: texts of the
/// same structure give equal tasks. The formulas and polynomials of `task` belong to `source` (its
/// own terms are ignored); `reals` and `booleans` are the declared variables in scope, in the order
/// of the result, and `task.problem.integrated` has an entry for each of `reals`.
Task extract(const Terms& source, std::span<const Variable> reals,
             std::span<const std::uint32_t> booleans, const Task& task);

/// The task with each observed variable replaced by its value; the measure has one dimension less
/// for each.
Task apply_observations(const Task& task);

}  // namespace wmi
