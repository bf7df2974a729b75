#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
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

  void mark() { marks_.push_back(trail_.size()); }
  void undo();

  /// Requires that it is not known.
  void set_boolean(std::uint32_t boolean, bool value);
  /// The form is at most 0 (sign -1) or at least 0 (+1) here, almost everywhere where it is 0.
  void set_sign(const LinearForm& form, int sign);
  /// The form, which has a derived real that is not pinned, is 0 here; or it is not.
  void pin(const LinearForm& form);
  void exclude(const LinearForm& form);

  Truth truth(Formula formula) const {
    return formula.negated() ? !truth_[formula.node()] : truth_[formula.node()];
  }
  /// A declared or defined real has its value in the integrated ones.
  bool valued(const Polynomial& polynomial) const;
  /// Requires that it is valued.
  Polynomial value(const Polynomial& polynomial) const;
  /// It is certainly 0: each of its terms has a factor that is.
  bool vanishes(const Polynomial& polynomial) const;
  /// The form with pinned reals replaced; it may have others left.
  LinearForm reduced(const LinearForm& form) const;
  /// The first derived real that has no value in the integrated ones.
  std::optional<Variable> unpinned() const;

  /// The Booleans, the atoms, and the declared reals, that may matter to them, those behind others
  /// included. Pinned reals are replaced.
  struct Waiting {
    std::set<std::uint32_t> booleans;  // by number
    std::vector<std::uint32_t> atoms;  // nodes that `form_of` knows
    std::set<Variable> reals;          // if they are asked for
  };
  Waiting waiting(Formula formula, const Polynomial& polynomial, bool reals = false) const;
  /// What the formulas are a conjunction of here, without what is true.
  std::vector<Formula> conjuncts(std::vector<Formula> formulas) const;
  /// The atom's form in the integrated reals, times a positive number; nothing as long as it has
  /// others.
  std::optional<LinearForm> form_of(std::uint32_t atom) const;

 private:
  struct Edge {
    std::uint32_t parent;
    bool negated;
  };
  struct Known {  // of a linear form
    int sign = 0;
    std::vector<std::uint32_t> atoms = {};  // whose form it is, or its opposite
  };
  struct Hash {
    std::size_t operator()(const LinearForm& form) const;
  };
  using Forms = std::unordered_map<LinearForm, Known, Hash>;  // looked up, never walked
  enum class Event : std::uint8_t { truth, value, form, registration, sign, pin };
  struct Entry {
    Event event;
    std::uint32_t index;
    const LinearForm* form = nullptr;  // of a sign or a registration
  };
  struct Pin {
    Variable variable;
    LinearForm value;
  };

  void conclude(std::uint32_t node, bool value);
  void propagate();
  void update_choice(std::uint32_t node);
  void update_atom(std::uint32_t node);
  void update_definition(std::uint32_t node);
  bool defined(const Polynomial& polynomial) const;
  Polynomial unfolded(const Polynomial& polynomial) const;
  Polynomial without_pinned(const Polynomial& polynomial) const;
  bool derived(Variable variable) const {
    return variable < problem_.integrated.size() && !problem_.integrated[variable];
  }

  const Problem& problem_;
  const Terms& terms_;
  bool any_derived_;
  std::vector<Truth> truth_;                       // by node
  std::vector<std::vector<Edge>> parents_;         // by node: conjunctions, choices, definitions
  std::vector<std::vector<std::uint32_t>> users_;  // by variable: atoms and definitions
  std::vector<std::uint32_t> open_;                // of a conjunction: children not known
  std::vector<std::optional<Polynomial>> values_;  // of defined reals, in declared ones
  std::vector<std::optional<LinearForm>> forms_;   // of atoms, in declared reals
  std::vector<const LinearForm*> registered_;      // of atoms: the key in `known_`
  std::vector<bool> flipped_;                      // of atoms: the key is the opposite
  Forms known_;
  std::vector<Pin> pins_;
  std::vector<std::uint32_t> atoms_;
  std::vector<Entry> trail_;
  std::vector<std::size_t> marks_;
  std::size_t done_ = 0;  // of the trail: what follows is drawn
};

}  // namespace wmi::check
