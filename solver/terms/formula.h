#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "solver/terms/function.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// A node of a `Terms`, or its negation: a signed edge, as in an and-inverter graph.
class Formula {
 public:
  Formula() = default;  // true
  Formula(std::uint32_t node, bool negated) : code_(2 * node + (negated ? 1 : 0)) {}

  std::uint32_t node() const { return code_ / 2; }
  bool negated() const { return code_ % 2 != 0; }
  Formula operator!() const { return {node(), !negated()}; }

  friend auto operator<=>(const Formula&, const Formula&) = default;

 private:
  std::uint32_t code_ = 0;
};

inline const Formula truth;
inline const Formula falsity(0, true);

/// form <= 0, form < 0, form = 0.
enum class Comparison : std::uint8_t { less_equal, less, equal };

/// Whether number <= 0, number < 0 or number = 0.
inline bool holds(const Rational& number, Comparison comparison) {
  const int sign = sgn(number);
  return comparison == Comparison::equal  ? sign == 0
         : comparison == Comparison::less ? sign < 0
                                          : sign <= 0;
}

struct Atom {
  LinearForm form;
  Comparison comparison;

  friend bool operator==(const Atom&, const Atom&) = default;
};

/// A real variable whose value is `then` where the condition holds, else `otherwise`. If it has a
/// function, the condition is true, and its value is the function of `then`.
struct Definition {
  Variable variable;
  Formula condition;
  Polynomial then;
  Polynomial otherwise;
  Function function = Function::none;

  friend bool operator==(const Definition&, const Definition&) = default;
};

enum class Kind : std::uint8_t { constant, boolean, atom, conjunction, choice, definition };

/// A node of the shared graph of all formulas. Children have smaller numbers than their parents,
/// so a loop over the nodes visits a formula bottom up, without recursion.
struct Node {
  Kind kind;
  std::uint32_t index;            // of the boolean, atom or definition
  std::vector<Formula> children;  // of a conjunction; condition, then, else of a choice

  friend bool operator==(const Node&, const Node&) = default;
};

/// The variables, formulas and definitions of a problem, each stored once.
///
/// Real terms are polynomials over the declared reals and the *defined* ones: every
/// `(ite c a b)` over the reals is a Definition. Atoms are linear, with coprime integer
/// coefficients of which the first is positive, so that equal atoms are equal nodes. A choice of
/// degree at most 1 has linear branches: `(* (ite c 1 2) x)` is stored as `(ite c x (* 2 x))`.
/// A smooth function of a term is a Definition too, with a degree above 1: it is in no atom.
///
///     Terms terms;
///     const Polynomial w = Polynomial::variable(terms.declare_real("w"));
///     const Polynomial relu = terms.choice(terms.less(0, w), w, 0);
///     const Formula f = terms.both(terms.less_equal(relu, 2), !terms.declare_boolean("b"));
class Terms {
 public:
  Terms();

  Variable declare_real(std::string name);
  Formula declare_boolean(std::string name);

  /// Linear comparisons. Throws Error, naming a product, when the difference is not linear.
  Formula less_equal(const Polynomial& a, const Polynomial& b);
  Formula less(const Polynomial& a, const Polynomial& b);
  Formula equal(const Polynomial& a, const Polynomial& b);
  Formula compare(const Polynomial& difference, Comparison comparison);
  /// The same for a form in variables of degree at most 1.
  Formula compare(LinearForm difference, Comparison comparison);
  /// The polynomial as an affine form in declared and defined variables. Throws Error likewise.
  Polynomial affine(const Polynomial& polynomial);

  /// Repetitions are dropped; x and not x together are decided.
  Formula all(std::span<const Formula> formulas);
  Formula any(std::span<const Formula> formulas);
  Formula both(Formula a, Formula b);
  Formula either(Formula a, Formula b);
  Formula choice(Formula condition, Formula then, Formula otherwise);
  /// The real-valued choice: a defined variable, unless the condition is constant or both branches
  /// are equal.
  Polynomial choice(Formula condition, Polynomial then, Polynomial otherwise);

  /// A smooth function of a term: a defined variable, unless its value is rational and known.
  Polynomial apply(Function function, Polynomial argument);
  /// Is there a term with a smooth function?
  bool smooth() const { return smooth_; }
  /// A function that the polynomial depends on, or none.
  Function function_in(const Polynomial& polynomial) const;

  std::size_t size() const { return nodes_.size(); }
  const Node& node(std::uint32_t node) const { return nodes_[node]; }
  const Atom& atom(std::uint32_t index) const { return atoms_[index]; }
  const Definition& definition(std::uint32_t index) const { return definitions_[index]; }

  std::size_t real_count() const { return reals_.size(); }
  std::size_t boolean_count() const { return booleans_.size(); }
  /// Empty for a defined real.
  const std::string& real_name(Variable variable) const { return reals_[variable].name; }
  const std::string& boolean_name(std::uint32_t boolean) const { return booleans_[boolean].name; }
  /// The node of a boolean variable.
  Formula boolean(std::uint32_t index) const { return {booleans_[index].node, false}; }
  /// The definition node of a defined real, 0 for a declared one.
  std::uint32_t defining_node(Variable variable) const { return reals_[variable].node; }

  /// The degree of a polynomial with its definitions unfolded.
  unsigned degree(const Polynomial& polynomial) const;

  /// All nodes of the given formulas and polynomials, children first, in the order of a
  /// depth-first walk, which depends on the structure alone and not on the numbers of the nodes.
  std::vector<std::uint32_t> below(std::span<const Formula> formulas,
                                   std::span<const Polynomial> polynomials) const;

  friend bool operator==(const Terms& a, const Terms& b) {
    return a.nodes_ == b.nodes_ && a.atoms_ == b.atoms_ && a.definitions_ == b.definitions_ &&
           a.reals_ == b.reals_ && a.booleans_ == b.booleans_;
  }

 private:
  struct Real {
    std::string name;
    std::uint32_t node;
    unsigned degree;

    friend bool operator==(const Real&, const Real&) = default;
  };
  struct Boolean {
    std::string name;
    std::uint32_t node;

    friend bool operator==(const Boolean&, const Boolean&) = default;
  };

  std::uint32_t add(Kind kind, std::uint32_t index, std::vector<Formula> children);
  /// The conjunction or choice of these children, each once.
  std::uint32_t unique(Kind kind, std::vector<Formula> children);
  /// The node with this hash for which `same` holds, or else 0.
  template <class Same>
  std::uint32_t find(std::size_t hash, Same&& same) const;
  /// The variable of this definition, which is added unless it is known.
  Polynomial define(Definition definition, unsigned degree);
  Polynomial linearised(Polynomial polynomial);
  Polynomial linearised(const Polynomial& polynomial, unsigned depth, std::size_t& pieces);
  std::string product_in(const Polynomial& polynomial) const;

  std::vector<Node> nodes_;
  std::vector<Atom> atoms_;
  std::vector<Definition> definitions_;
  std::vector<Real> reals_;
  std::vector<Boolean> booleans_;
  bool smooth_ = false;
  std::unordered_multimap<std::size_t, std::uint32_t> known_;  // nodes by hash; never walked
};

}  // namespace wmi
