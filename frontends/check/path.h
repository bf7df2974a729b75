#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "frontends/check/cell.h"
#include "solver/terms/query.h"

namespace wmi::check {

enum class Truth : std::int8_t { no = -1, unknown = 0, yes = 1 };
inline Truth operator!(Truth value) { return static_cast<Truth>(-static_cast<int>(value)); }

/// The facts on the path to a node of the tree: Booleans, signs of linear forms in the integrated
/// reals, equations that pin derived reals; and the three-valued truth of formulas under them.
///
/// `undo` forgets all facts since the last mark; marks form a stack.
class Path {
 public:
  /// The problem must outlive this.
  explicit Path(const Problem& problem);

  void mark() { marks_.push_back({closed_.size(), formed_.size(), facts_.size(), pins_.size()}); }
  void undo();

  /// Requires an undecided Boolean.
  void set_boolean(std::uint32_t boolean, bool value);
  /// With yes: the form, in integrated reals, is <= 0 here (and 0 only without volume). With no: it
  /// has derived reals and is not 0, so that its equation does not hold.
  void learn(LinearForm form, Truth truth);
  /// The form, which has an unpinned derived real, is 0 here.
  void pin(const LinearForm& form);
  /// Decides atoms by the vertices of the cell, until it is left with `enter(nullptr)`.
  void enter(const Cell* cell);

  Truth truth(Formula formula) const {
    return formula.negated() ? !truth_[formula.node()] : truth_[formula.node()];
  }
  bool any_false(std::span<const Formula> formulas) const {
    return std::ranges::any_of(formulas, [&](Formula one) { return truth(one) == Truth::no; });
  }
  /// Whether all its choices are decided.
  bool known(const Polynomial& polynomial) const;
  /// Its value in declared, unpinned reals. Requires that it is known.
  Polynomial value(const Polynomial& polynomial) const;
  /// Whether it is certainly 0: each of its terms has a factor 0.
  bool vanishes(const Polynomial& polynomial) const;
  /// Throws Rejected unless every derived real has a value in the integrated ones.
  void require_pinned() const;

  /// Until the mark is undone, only nodes below these are evaluated.
  void focus(const Roots& roots);
  /// The variables and nodes that these depend on through undecided nodes.
  struct Needs {
    Set booleans = {}, reals = {}, nodes = {};
  };
  Needs needs(const Roots& roots) const;
  /// The conjuncts of the formulas that are not known to be true.
  std::vector<Formula> conjuncts(std::vector<Formula> formulas) const;

 private:
  using Fact = std::pair<LinearForm, Truth>;  // primitive; of a comparison with 0

  void update(const Set* wanted = nullptr);
  Truth evaluate(std::uint32_t node);
  Truth evaluate_atom(std::uint32_t node, const Atom& atom);
  bool known(Variable variable) const {
    return truth_[terms_.defining_node(variable)] == Truth::yes;  // node 0 is true
  }
  bool derived(Variable variable) const {
    return variable < problem_.integrated.size() && !problem_.integrated[variable];
  }

  const Problem& problem_;
  const Terms& terms_;
  std::vector<Truth> truth_;        // by node; of a definition: yes if it is known
  std::vector<Polynomial> values_;  // of definitions that are known
  std::vector<LinearForm> forms_;   // of atoms, primitive, in integrated reals
  std::vector<Fact> facts_;
  std::vector<std::pair<Variable, Polynomial>> pins_;
  const Cell* cell_ = nullptr;
  std::vector<std::uint32_t> open_;    // undecided nodes in focus, children first
  std::vector<std::uint32_t> closed_;  // those that were removed from `open_`, in order
  std::vector<std::size_t> compared_;  // by node: for an atom with a form, 1 plus the number of
                                       // facts (and then the cell) it was compared with; else 0
  std::vector<std::uint32_t> formed_;  // the atoms with a form, in order
  std::vector<std::array<std::size_t, 4>> marks_;  // lengths: closed_, formed_, facts_, pins_
};

}  // namespace wmi::check
