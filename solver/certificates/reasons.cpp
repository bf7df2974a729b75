// The atoms behind a false formula are found by a walk down from it: into one false child of a
// false conjunction and all children of a true one, into the chosen branch of a choice, and into
// the definitions of the reals in atoms.

#include "solver/certificates/reasons.h"

#include <algorithm>

namespace wmi {
namespace {

class Walk {
 public:
  explicit Walk(const ProofState& state)
      : terms_(state.problem.terms), branch_(state.branch), seen_(terms_.size()) {}

  void visit(std::uint32_t node) {
    if (!seen_[node]) open_.push_back(node);
    seen_[node] = true;
  }
  void visit(const Polynomial& polynomial) {
    for (const Variable variable : polynomial.variables()) visit_real(variable);
  }
  /// Visits, in each term, only a factor that is 0.
  void visit_zeros(const Polynomial& polynomial) {
    for (const Polynomial::Term& term : polynomial.terms()) {
      const auto zero =
          std::find_if(term.monomial.begin(), term.monomial.end(), [&](const Power& power) {
            const Polynomial* const value = branch_.value(power.variable);
            return value != nullptr && value->zero();
          });
      if (zero != term.monomial.end()) visit_real(zero->variable);
    }
  }
  /// Visits one of these formulas that is false.
  void visit_false(const std::vector<Formula>& formulas) {
    visit(std::find_if(formulas.begin(), formulas.end(), [&](Formula formula) {
            return branch_.truth(formula) == Truth::no;
          })->node());
  }

  /// All atoms visited.
  std::vector<std::uint32_t> atoms() {
    std::vector<std::uint32_t> result;
    while (!open_.empty()) {
      const std::uint32_t node = open_.back();
      open_.pop_back();
      if (terms_.node(node).kind == Kind::atom) result.push_back(node);
      descend(node);
    }
    return result;
  }

 private:
  void visit_real(Variable variable) {
    if (const std::uint32_t node = terms_.defining_node(variable); node != 0) visit(node);
  }

  void descend(std::uint32_t number) {
    const Node& node = terms_.node(number);
    switch (node.kind) {
      case Kind::constant:
      case Kind::boolean:
        break;
      case Kind::atom:
        for (const auto& [variable, coefficient] : terms_.atom(node.index).form.coefficients)
          visit_real(variable);
        break;
      case Kind::conjunction:
        if (branch_.truth(Formula(number, false)) != Truth::yes) return visit_false(node.children);
        for (const Formula child : node.children) visit(child.node());
        break;
      case Kind::choice: {
        const Truth condition = branch_.truth(node.children[0]);
        if (condition != Truth::unknown) visit(node.children[0].node());
        if (condition != Truth::no) visit(node.children[1].node());
        if (condition != Truth::yes) visit(node.children[2].node());
        break;
      }
      case Kind::definition: {
        const Definition& definition = terms_.definition(node.index);
        visit(definition.condition.node());
        const bool then = branch_.truth(definition.condition) == Truth::yes;
        visit(then ? definition.then : definition.otherwise);
        break;
      }
    }
  }

  const Terms& terms_;
  const Branch& branch_;
  std::vector<bool> seen_;  // by node
  std::vector<std::uint32_t> open_;
};

}  // namespace

std::vector<std::uint32_t> reasons(const ProofState& state, const Scope& scope) {
  Walk walk(state);
  if (std::any_of(scope.formulas.begin(), scope.formulas.end(),
                  [&](Formula formula) { return state.branch.truth(formula) == Truth::no; })) {
    walk.visit_false(scope.formulas);
  } else if (const Weight* const weight = state.evaluator.vanishing(state.branch)) {
    walk.visit(weight->condition.node());
    walk.visit_zeros(weight->value);
  } else {
    for (const std::size_t i : scope.active) walk.visit_false(scope.integrals[i].conditions);
  }
  return walk.atoms();
}

}  // namespace wmi
