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

/// What is known at a place of the tree: Booleans, the signs of linear forms in the integrated
/// reals, equations that pin derived reals; and what follows for formulas, in three values.
///
/// Marks and undoing form a stack: `undo` forgets all since the last mark.
class Path {
 public:
  /// The problem must outlive this.
  explicit Path(const Problem& problem);

  void mark() { marks_.push_back({closed_.size(), formed_.size(), facts_.size(), pins_.size()}); }
  void undo();

  /// Requires that it is not known.
  void set_boolean(std::uint32_t boolean, bool value);
  /// With yes: the form, in integrated reals, is at most 0 here (and 0 without volume). With no: it
  /// has derived reals and is not 0, so that no equation of it holds.
  void learn(LinearForm form, Truth truth);
  /// The form, which has a derived real that is not pinned, is 0 here.
  void pin(const LinearForm& form);
  /// All is within the cell, so that its vertices say where atoms hold, until it is left with
  /// nothing.
  void enter(const Cell* cell);

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
  /// Throws Rejected unless every derived real has a value in the integrated ones.
  void require_pinned() const;

  /// Until the mark is undone, only what these are made of matters.
  void focus(const Roots& roots);
  /// What these depend on, through all that is not known in them.
  struct Needs {
    Set booleans = {}, reals = {}, nodes = {};
  };
  Needs needs(const Roots& roots) const;
  /// What the formulas are a conjunction of here, without what is true.
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
  std::vector<std::uint32_t> open_;    // nodes that matter and are not known, children first
  std::vector<std::uint32_t> closed_;  // those that were taken out, in turn
  std::vector<std::size_t> compared_;  // by node, of an atom that has its form: 1, and what it was
                                       // compared with, all facts and then the cell; else 0
  std::vector<std::uint32_t> formed_;  // the atoms that have their form, in turn
  std::vector<std::array<std::size_t, 4>> marks_;  // lengths: closed_, formed_, facts_, pins_
};

}  // namespace wmi::check
