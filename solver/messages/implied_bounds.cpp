#include "solver/messages/implied_bounds.h"

#include <algorithm>
#include <cstddef>

namespace wmi {
namespace {

using Bounds = std::vector<std::pair<std::optional<Rational>, std::optional<Rational>>>;

/// The forms that are at most 0 on all models.
std::vector<LinearForm> implied_forms(const Problem& problem) {
  const Terms& terms = problem.terms;
  std::vector<LinearForm> result;
  for (const Formula formula : conjuncts(problem)) {
    const Node& node = terms.node(formula.node());
    if (node.kind != Kind::atom) continue;
    const Atom& atom = terms.atom(node.index);
    const bool equal = atom.comparison == Comparison::equal;
    if ((equal && formula.negated()) ||
        std::ranges::any_of(atom.form.coefficients, [&](const auto& entry) {
          return terms.defining_node(entry.first) != 0;
        }))
      continue;
    if (equal || !formula.negated()) result.push_back(atom.form);
    if (equal || formula.negated()) result.push_back(-atom.form);
  }
  return result;
}

/// Bounds the variables of a form by the others, those that have no bound yet or, from a form in
/// one variable, a wider one. The variables that have a new bound are added to a list.
void bound(const LinearForm& form, Bounds& bounds, std::vector<Variable>& changed) {
  for (const auto& [variable, coefficient] : form.coefficients) {
    const bool single = form.coefficients.size() == 1, above = coefficient > 0;
    std::optional<Rational>& end = above ? bounds[variable].second : bounds[variable].first;
    if (end && !single) continue;
    std::optional<Rational> rest = form.constant;  // the least value of the others
    for (const auto& [other, factor] : form.coefficients) {
      if (other == variable || !rest) continue;
      const std::optional<Rational>& least =
          factor > 0 ? bounds[other].first : bounds[other].second;
      rest = least ? std::optional(Rational(*rest + factor * *least)) : std::nullopt;
    }
    if (!rest) continue;
    Rational found = -*rest / coefficient;
    if (end && (above ? *end <= found : *end >= found)) continue;
    end = std::move(found);
    changed.push_back(variable);
  }
}

}  // namespace

Bounds implied_bounds(const Problem& problem) {
  const std::vector<LinearForm> forms = implied_forms(problem);
  Bounds result(problem.integrated.size());
  std::vector<std::vector<std::size_t>> uses(result.size());
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (const auto& entry : forms[i].coefficients) uses[entry.first].push_back(i);
  std::vector<Variable> changed;
  for (const LinearForm& form : forms)
    if (form.coefficients.size() == 1) bound(form, result, changed);
  // Each variable has at most two more new bounds, so this ends.
  for (std::size_t i = 0; i < changed.size(); ++i)
    for (const std::size_t form : uses[changed[i]])
      if (forms[form].coefficients.size() > 1) bound(forms[form], result, changed);
  return result;
}

}  // namespace wmi
