#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solver/query.h"

namespace wmi::check {

enum class Truth : std::int8_t { no = -1, unknown = 0, yes = 1 };
inline Truth operator!(Truth value) { return static_cast<Truth>(-static_cast<int>(value)); }

inline LinearForm opposite(LinearForm form) {
  form.constant = -form.constant;
  for (auto& [variable, coefficient] : form.coefficients) coefficient = -coefficient;
  return form;
}

/// What is known at a place of the tree: Booleans, the signs of linear forms in the integrated
/// reals, equations that pin derived reals; and what follows for formulas, in three values.
///
/// Marks and undoing form a stack: `undo` forgets all since the last mark.
class Path {
 public:
  /// In a task without observations, which must outlive this.
  explicit Path(const Task& task);

  void mark() { marks_.push_back({trail_.size(), facts_.size(), pins_.size()}); }
  void undo();

  /// Requires that it is not known.
  void set_boolean(std::uint32_t boolean, bool value);
  /// The form is at most 0 here (sign -1) or at least 0 (+1), almost everywhere where it is 0; or,
  /// if it has derived reals, it is not 0 (sign 0).
  void set_sign(LinearForm form, int sign);
  /// The form, which has a derived real that is not pinned, is 0 here.
  void pin(const LinearForm& form);
  /// The atom is so here, almost everywhere.
  void decide(std::uint32_t atom, bool value);

  Truth truth(Formula formula) const {
    return formula.negated() ? !truth_[formula.node()] : truth_[formula.node()];
  }
  bool any_false(std::span<const Formula> formulas) const {
    return std::ranges::any_of(formulas, [&](Formula one) { return truth(one) == Truth::no; });
  }
  /// It is known what its choices choose.
  bool known(const Polynomial& polynomial) const;
  /// Requires that it is known. In declared reals, without those that are pinned.
  Polynomial value(const Polynomial& polynomial) const;
  /// It is certainly 0: each of its terms has a factor that is.
  bool vanishes(const Polynomial& polynomial) const;
  /// The first derived real that has no value in the integrated ones.
  std::optional<Variable> unpinned() const;

  /// What may matter to formulas and terms that are not known, that behind others included.
  struct Waiting {
    std::set<std::uint32_t> booleans;  // by number
    std::vector<std::uint32_t> atoms;  // nodes that `form_of` knows
    std::set<Variable> reals;          // declared or known, in terms; those of the atoms apart
  };
  Waiting waiting(const Roots& roots) const;
  /// What the formulas are a conjunction of here, without what is true.
  std::vector<Formula> conjuncts(std::vector<Formula> formulas) const;
  /// Of such an atom, in the integrated reals, times a positive number.
  LinearForm form_of(std::uint32_t atom) const;

 private:
  struct Fact {
    LinearForm form;  // normalised
    int sign;
  };
  struct Pin {
    Variable variable;
    Polynomial value;
  };
  struct Entry {
    std::uint32_t node;
    bool form;  // an atom got its form; else a node became known
  };
  struct Mark {
    std::size_t trail, facts, pins;
  };

  void conclude(std::uint32_t node, bool value);
  void propagate();
  void update(std::uint32_t node);
  void update_atom(std::uint32_t node);
  void compare(std::uint32_t atom, const LinearForm& form, const Fact& fact);
  bool known(Variable variable) const;
  bool derived(Variable variable) const {
    return variable < problem_.integrated.size() && !problem_.integrated[variable];
  }

  const Problem& problem_;
  const Terms& terms_;
  std::vector<Truth> truth_;                      // by node; of a definition: yes if it is known
  std::vector<std::vector<Formula>> users_;       // by node: who has it, or its negation
  std::vector<std::size_t> open_;                 // of a conjunction: children not known
  std::vector<Polynomial> values_;                // of definitions that are known
  std::vector<std::optional<LinearForm>> forms_;  // of atoms: normalised, in integrated reals
  std::vector<bool> flipped_;                     // of atoms: this is the opposite
  std::vector<std::uint32_t> atoms_;
  std::vector<Fact> facts_;
  std::vector<Pin> pins_;
  std::vector<Entry> trail_;
  std::vector<Mark> marks_;
  std::size_t done_ = 0;  // of the trail: what follows is drawn
};

}  // namespace wmi::check
