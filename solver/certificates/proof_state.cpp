#include "solver/certificates/proof_state.h"

#include <algorithm>

#include "solver/terms/error.h"

namespace wmi {

ProofState::ProofState(const Problem& whole, std::span<const CertifiedIntegral> integrals)
    : problem(whole),
      coordinates(problem),
      evaluator(problem),
      branch(problem, cone(problem, integrals)),
      region(coordinates.variables().size()) {
  pins.values.resize(problem.integrated.size());
}

bool ProofState::pinned() const {
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable)
    if (!problem.integrated[variable] && !pins.values[variable]) return false;
  return true;
}

LinearForm ProofState::reduced(const LinearForm& form) const {
  if (!has_derived(form)) return form;
  LinearForm result = pins(form);
  if (!result.is_constant()) result.make_primitive();
  return result;
}

AtomStatus ProofState::classify(const Atom& atom) const {
  LinearForm form = reduced(atom.form);
  if (has_derived(form)) return {AtomStatus::Kind::derived, std::move(form)};
  if (form.is_constant()) {
    const bool holding = holds(form.constant, atom.comparison);
    return {AtomStatus::Kind::decided, std::move(form), holding};
  }
  if (atom.comparison == Comparison::equal)
    return {AtomStatus::Kind::decided, std::move(form), false};
  const Sides reached = sides(form);
  if (reached == Sides::both) return {AtomStatus::Kind::open, std::move(form)};
  return {AtomStatus::Kind::implied, std::move(form), reached == Sides::below};
}

std::size_t ProofState::decide_implied(std::span<const Formula> formulas,
                                       std::span<const Polynomial> polynomials) {
  std::size_t decided = 0;
  for (bool progress = true; progress;) {
    progress = false;
    for (const std::uint32_t node : branch.open_below(formulas, polynomials)) {
      const Atom* const atom = branch.atom(node);
      if (atom == nullptr || branch.truth(Formula(node, false)) != Truth::unknown) continue;
      const AtomStatus status = classify(*atom);
      if (!status.known()) continue;
      branch.decide(branch.decision_on(node, status.holds));
      ++decided;
      progress = true;
    }
  }
  return decided;
}

bool ProofState::closed(const Scope& scope) const {
  return std::any_of(scope.formulas.begin(), scope.formulas.end(),
                     [&](Formula formula) { return branch.truth(formula) == Truth::no; }) ||
         evaluator.vanishes(branch);
}

bool ProofState::idle(const Scope& scope) const {
  return std::all_of(scope.active.begin(), scope.active.end(), [&](std::size_t i) {
    return condition(scope.integrals[i], branch) == Truth::no;
  });
}

bool ProofState::settled(const Scope& scope) const {
  return std::all_of(scope.formulas.begin(), scope.formulas.end(),
                     [&](Formula formula) { return branch.truth(formula) == Truth::yes; }) &&
         !evaluator.open_in(branch, scope.weights) && bounded(scope);
}

LinearForm ProofState::slice(const CertifiedIntegral& integral) const {
  LinearForm form = reduced(LinearForm(branch.resolved(*integral.term) - integral.at));
  if (has_derived(form)) throw GaveUp("no certificate: a derived real is not pinned");
  if (!form.is_constant()) form.make_primitive();
  return form;
}

bool ProofState::determined(const CertifiedIntegral& integral) const {
  const Truth known = condition(integral, branch);
  if (known != Truth::yes) return known == Truth::no;
  if (integral.term && branch.open_in(*integral.term)) return false;
  if (!integral.sliced) return true;
  const LinearForm form = slice(integral);
  return form.is_constant() || sides(form) != Sides::both;
}

}  // namespace wmi
