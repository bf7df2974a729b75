#include "solver/messages/partial_sums.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "solver/terms/substitution.h"

namespace wmi {
namespace {

using Coefficients = std::vector<std::pair<Variable, Rational>>;

/// The forms in integrated reals of all atoms, longest first, without constants and each once.
std::vector<Coefficients> forms_of(const Problem& problem, std::span<const Goal> goals) {
  std::vector<Coefficients> result;
  for (const std::uint32_t number : cone(problem, goals)) {
    const Node& node = problem.terms.node(number);
    if (node.kind != Kind::atom) continue;
    const LinearForm& form = problem.terms.atom(node.index).form;
    if (form.coefficients.size() > 1 &&
        std::ranges::all_of(form.coefficients, [&](const auto& entry) {
          return entry.first < problem.integrated.size() && problem.integrated[entry.first];
        }))
      result.push_back(form.coefficients);
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, &Coefficients::size);
  return result;
}

/// Whether a form is a multiple of a part of another.
bool is_part(const Coefficients& form, const std::map<Variable, Rational>& of) {
  const auto first = of.find(form[0].first);
  return first != of.end() && std::ranges::all_of(form, [&](const auto& entry) {
           const auto found = of.find(entry.first);
           return found != of.end() &&
                  found->second * form[0].second == first->second * entry.second;
         });
}

/// The variables of the longest form, so that shorter forms that are parts of it, and of each other,
/// come first.
Coefficients ordered(const std::vector<Coefficients>& forms) {
  const std::map<Variable, Rational> longest(forms[0].begin(), forms[0].end());
  Coefficients result;
  const auto contains = [](const Coefficients& list, Variable variable) {
    return std::ranges::find(list, variable, &Coefficients::value_type::first) != list.end();
  };
  for (auto form = forms.rbegin(); form != forms.rend(); ++form) {
    if (!is_part(*form, longest) || !std::ranges::all_of(result, [&](const auto& entry) {
          return contains(*form, entry.first);
        }))
      continue;
    for (const auto& [variable, coefficient] : *form)
      if (!contains(result, variable)) result.emplace_back(variable, longest.at(variable));
  }
  return result;
}

/// Whether another form relates many of these variables: then partial sums would not help.
bool is_related_otherwise(const std::vector<Coefficients>& forms, const Coefficients& order) {
  const std::map<Variable, Rational> longest(order.begin(), order.end());
  return std::ranges::any_of(forms, [&](const Coefficients& form) {
    return form.size() > 2 && !is_part(form, longest) &&
           std::ranges::any_of(form,
                               [&](const auto& entry) { return longest.contains(entry.first); });
  });
}

/// Whether all polynomials stay short when each variable is replaced by a difference.
bool has_short_terms(const Problem& problem, std::span<const Goal> goals) {
  constexpr std::size_t most_terms = 64;
  constexpr unsigned highest = 12;
  const auto is_short = [&](const Polynomial& polynomial) {
    return polynomial.terms().size() <= 1 ||
           (polynomial.terms().size() <= most_terms && polynomial.degree() <= highest);
  };
  return std::ranges::all_of(problem.weights, is_short, &Weight::value) &&
         std::ranges::all_of(goals,
                             [&](const Goal& goal) {
                               return std::ranges::all_of(goal.summands, is_short, &Summand::term);
                             }) &&
         std::ranges::all_of(cone(problem, goals), [&](std::uint32_t number) {
           const Node& node = problem.terms.node(number);
           if (node.kind != Kind::definition) return true;
           const Definition& definition = problem.terms.definition(node.index);
           return is_short(definition.then) && is_short(definition.otherwise);
         });
}

/// Products of variables as weights of their own, which stay short when variables are replaced.
std::vector<Weight> separated(const std::vector<Weight>& weights) {
  std::vector<Weight> result;
  for (const Weight& weight : weights) {
    if (weight.condition != truth || weight.value.terms().size() != 1) {
      result.push_back(weight);
      continue;
    }
    const Polynomial::Term& term = weight.value.terms()[0];
    result.push_back({truth, Polynomial(term.coefficient)});
    for (const Power& power : term.monomial)
      result.push_back({truth, Polynomial({{{power}, Rational(1)}})});
  }
  return result;
}

}  // namespace

std::optional<PartialSums> in_partial_sums(const Problem& problem, std::span<const Goal> goals) {
  std::vector<Coefficients> forms = forms_of(problem, goals);
  if (forms.empty() || forms[0].size() < 3 || !has_short_terms(problem, goals)) return std::nullopt;
  PartialSums result;
  Terms& terms = result.problem.terms;
  result.problem.integrated = problem.integrated;
  for (Variable real = 0; real < problem.integrated.size(); ++real)
    terms.declare_real(problem.terms.real_name(real));
  Substitution substitution(problem.terms, terms);
  for (Variable real = 0; real < problem.integrated.size(); ++real)
    substitution.set_real(real, Polynomial::variable(real));
  for (std::uint32_t boolean = 0; boolean < problem.terms.boolean_count(); ++boolean)
    substitution.set_boolean(boolean, terms.declare_boolean(problem.terms.boolean_name(boolean)));

  Rational determinant = 1;
  while (!forms.empty() && forms[0].size() >= 3) {
    Polynomial before;
    const Coefficients order = ordered(forms);
    if (is_related_otherwise(forms, order)) return std::nullopt;
    for (const auto& [variable, coefficient] : order) {
      const Polynomial sum = Polynomial::variable(variable);
      const Rational inverse = 1 / coefficient;
      substitution.set_real(variable, inverse * (sum - before));
      before = sum;
      determinant *= abs(inverse);
    }
    std::erase_if(forms, [&](const Coefficients& form) {
      return std::ranges::any_of(form, [&](const auto& entry) {
        return std::ranges::find(order, entry.first, &Coefficients::value_type::first) !=
               order.end();
      });
    });
  }

  for (const Formula assertion : problem.assertions)
    result.problem.assertions.push_back(substitution(assertion));
  for (const Weight& weight : separated(problem.weights))
    result.problem.weights.push_back({substitution(weight.condition), substitution(weight.value)});
  result.problem.weights.push_back({truth, Polynomial(determinant)});
  for (const Goal& goal : goals) {
    Goal& changed = result.goals.emplace_back(goal);
    changed.condition = substitution(goal.condition);
    for (Summand& summand : changed.summands) summand.term = substitution(summand.term);
    if (changed.slice) changed.slice->term = substitution(changed.slice->term);
    for (Output& output : changed.outputs) output.term = substitution(output.term);
  }
  return result;
}

}  // namespace wmi
