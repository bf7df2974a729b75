#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/terms/problem.h"

namespace wmi {

enum class Truth : std::int8_t { no = -1, unknown = 0, yes = 1 };

inline Truth operator!(Truth value) { return static_cast<Truth>(-static_cast<int>(value)); }

/// The truth of a choice between two formulas.
inline Truth choice(Truth condition, Truth then, Truth otherwise) {
  if (condition == Truth::unknown) return then == otherwise ? then : Truth::unknown;
  return condition == Truth::yes ? then : otherwise;
}

/// A Boolean, or an atom that is linear in the declared reals, made true or false on a path of the
/// search. The branch owns the atom, as long as the decisions before this one stand.
struct Decision {
  std::uint32_t node;
  bool holds;
  const Atom* atom = nullptr;  // in the declared reals; none for a Boolean
  bool implied = false;        // by earlier decisions
};

/// A decision as one records it: on the path to a part of a search.
struct PathDecision {
  std::uint32_t node;
  bool holds;

  friend bool operator==(const PathDecision&, const PathDecision&) = default;
};

/// A partial assignment: a stack of decisions, and everything that follows from them.
///
/// A formula is true, false or unknown (three-valued, so that parts which no longer matter are never
/// decided), and a defined real is one polynomial in the declared reals as soon as the conditions of
/// its definition are known: layer by layer, never flattened. The cost of a decision is proportional
/// to what follows from it.
class Branch {
 public:
  /// For the nodes in `cone` (children first). With `names_products`, a defined real of degree above
  /// 1 is its own value once it is known, or 0: products of such values are long.
  Branch(const Problem& problem, const std::vector<std::uint32_t>& cone,
         bool names_products = false);

  bool names_products() const { return !named_.empty(); }

  /// The decisions made.
  const std::vector<Decision>& decisions() const { return decisions_; }
  /// Decides an atom or Boolean that is unknown.
  void decide(Decision decision);
  /// The decision of a Boolean, or of an atom that is linear in the declared reals on this branch.
  Decision decision_on(std::uint32_t node, bool holds) const;
  /// Takes the last decision back.
  void undo();

  Truth truth(Formula formula) const {
    const Truth positive = truth_[formula.node()];
    return formula.negated() ? !positive : positive;
  }

  /// The value of a defined real, and an atom in the declared reals; null while unknown.
  const Polynomial* value(Variable variable) const {
    return values_[variable] ? &*values_[variable] : nullptr;
  }
  /// The argument of a defined real that is a function of it, in the declared reals and in variables
  /// of functions; null while unknown. Such a real is its own value.
  const Polynomial* argument(Variable variable) const {
    return arguments_[variable] ? &*arguments_[variable] : nullptr;
  }
  const Atom* atom(std::uint32_t node) const { return forms_[node] ? &*forms_[node] : nullptr; }

  /// What a defined real is on this branch, in declared and defined reals. Requires that the condition
  /// of its definition is known.
  const Polynomial& chosen(Variable variable) const {
    const Terms& terms = problem_.terms;
    const Definition& definition =
        terms.definition(terms.node(terms.defining_node(variable)).index);
    return truth(definition.condition) == Truth::yes ? definition.then : definition.otherwise;
  }

  /// A decision that the truth of `formula` (which is unknown) may depend on: a Boolean, or an atom
  /// that is linear in the declared reals on this branch. Its `holds` is arbitrary.
  Decision open_in(Formula formula) const;
  /// Decisions without which the formula cannot hold.
  std::vector<Decision> units_of(Formula formula) const;
  /// Decisions without which one of these cannot hold. Those with fewest variables first: bounds of
  /// single variables before atoms that connect several.
  std::vector<Decision> units_of(std::span<const Formula> formulas) const;
  /// The same for a polynomial; nullopt when all its definitions are resolved.
  std::optional<Decision> open_in(const Polynomial& polynomial) const;

  /// True when the polynomial is certainly 0: each of its terms has a factor that is.
  bool vanishes(const Polynomial& polynomial) const;

  /// The polynomial in the declared reals. Requires that nothing is open in it.
  Polynomial resolved(const Polynomial& polynomial) const;

  /// How many unknown nodes have this one as a child.
  std::size_t uses(std::uint32_t node) const;

  /// Booleans and atoms that may still matter to the truth of the formulas and to the value of the
  /// polynomials, in the order of their nodes.
  std::vector<std::uint32_t> open_below(std::span<const Formula> formulas,
                                        std::span<const Polynomial> polynomials) const;

 private:
  bool known(std::uint32_t node) const;
  bool unresolved(Variable variable) const;
  std::uint32_t unresolved_in(const std::vector<Variable>& variables) const;
  void update(std::uint32_t node);
  void update_atom(std::uint32_t node);
  void update_definition(std::uint32_t node);
  void conclude(std::uint32_t node, Truth value);
  void propagate();
  Decision descend(std::uint32_t node) const;

  void add_value(Variable variable, const Rational& factor) const;
  Polynomial combined(const Polynomial& polynomial) const;
  LinearForm combined(const LinearForm& form) const;

  struct Mark {  // how much was known before a decision
    std::size_t known, forms;
  };

  const Problem& problem_;
  std::vector<Decision> decisions_;
  std::vector<Mark> marks_;
  std::vector<Truth> truth_;                          // by node
  std::vector<std::vector<std::uint32_t>> parents_;   // by node
  std::vector<std::uint32_t> open_;                   // children of a conjunction that are unknown
  std::vector<std::optional<Polynomial>> values_;     // of the defined reals, by variable
  std::vector<std::optional<Polynomial>> arguments_;  // of functions, by variable, if there are any
  std::vector<bool> named_;                           // by variable, if products are named
  std::size_t width_;                                 // of a sum of variables and a constant
  std::vector<std::optional<Atom>> forms_;            // atoms in the declared reals, primitive
  std::vector<std::uint32_t> trail_;                  // nodes that are known, in this order
  std::vector<std::uint32_t> form_trail_;             // atoms whose form is
  mutable std::vector<Rational> sums_;                // scratch of `combined`
  mutable std::vector<std::size_t> seen_;  // scratch of `units_of`, by formula: in which call
  mutable std::size_t calls_ = 0;
  std::size_t concluded_ = 0;  // of the trail: what follows is drawn
};

}  // namespace wmi
