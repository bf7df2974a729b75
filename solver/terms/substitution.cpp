#include "solver/terms/substitution.h"

#include <algorithm>
#include <cassert>

namespace wmi {

Substitution::Substitution(const Terms& source, Terms& target)
    : source_(source),
      target_(target),
      reals_(source.real_count()),
      booleans_(source.boolean_count()),
      nodes_(source.size()) {}

void Substitution::set_real(Variable variable, Polynomial value) {
  reals_[variable] = std::move(value);
}

void Substitution::set_boolean(std::uint32_t boolean, Formula value) { booleans_[boolean] = value; }

Formula Substitution::operator()(Formula formula) {
  if (!nodes_[formula.node()]) rebuild(source_.below(std::span(&formula, 1), {}));
  return rebuilt(formula);
}

Polynomial Substitution::operator()(const Polynomial& polynomial) {
  for (const Variable variable : polynomial.variables())
    if (!reals_[variable]) rebuild(source_.below({}, std::span(&polynomial, 1)));
  return rebuilt(polynomial);
}

void Substitution::prepare(std::span<const Formula> formulas,
                           std::span<const Polynomial> polynomials) {
  rebuild(source_.below(formulas, polynomials));
}

void Substitution::rebuild(std::span<const std::uint32_t> nodes) {
  for (const std::uint32_t number : nodes) {
    if (nodes_[number]) continue;
    const Node& node = source_.node(number);
    switch (node.kind) {
      case Kind::constant:
        nodes_[number] = truth;
        break;
      case Kind::boolean:
        assert(booleans_[node.index]);
        nodes_[number] = booleans_[node.index];
        break;
      case Kind::atom:
        nodes_[number] = rebuilt(source_.atom(node.index));
        break;
      case Kind::conjunction: {
        std::vector<Formula> children;
        for (const Formula child : node.children) children.push_back(rebuilt(child));
        nodes_[number] = target_.all(children);
        break;
      }
      case Kind::choice:
        nodes_[number] = target_.choice(rebuilt(node.children[0]), rebuilt(node.children[1]),
                                        rebuilt(node.children[2]));
        break;
      case Kind::definition: {
        const Definition& definition = source_.definition(node.index);
        reals_[definition.variable] =
            definition.function != Function::none
                ? target_.apply(definition.function, rebuilt(definition.then))
                : target_.choice(rebuilt(definition.condition), rebuilt(definition.then),
                                 rebuilt(definition.otherwise));
        nodes_[number] = truth;
        break;
      }
    }
  }
}

Formula Substitution::rebuilt(Formula formula) const {
  const Formula positive = *nodes_[formula.node()];
  return formula.negated() ? !positive : positive;
}

std::optional<Variable> Substitution::renamed(Variable variable) const {
  assert(reals_[variable]);
  const std::vector<Polynomial::Term>& terms = reals_[variable]->terms();
  if (terms.size() != 1 || terms[0].coefficient != 1 || terms[0].monomial.size() != 1 ||
      terms[0].monomial[0].exponent != 1)
    return std::nullopt;
  return terms[0].monomial[0].variable;
}

/// Where variables are only renamed, in the same order, the coefficients are copied.
Formula Substitution::rebuilt(const Atom& atom) const {
  LinearForm form = atom.form;
  std::optional<Variable> before;
  for (auto& [variable, coefficient] : form.coefficients) {
    const std::optional<Variable> image = renamed(variable);
    if (!image || (before && *image <= *before))
      return target_.compare(rebuilt(atom.form.polynomial()), atom.comparison);
    variable = *(before = image);
  }
  return target_.compare(std::move(form), atom.comparison);
}

Polynomial Substitution::rebuilt(const Polynomial& polynomial) const {
  std::vector<Polynomial::Term> terms = polynomial.terms();
  std::optional<Variable> before;
  const bool in_order = std::ranges::all_of(terms, [&](Polynomial::Term& term) {
    if (term.monomial.empty()) return true;
    Variable& variable = term.monomial[0].variable;
    const std::optional<Variable> image = renamed(variable);
    if (degree(term.monomial) > 1 || !image || (before && *image <= *before)) return false;
    variable = *(before = image);
    return true;
  });
  if (in_order) return Polynomial(std::move(terms));
  return polynomial.substitute([&](Variable variable) {
    assert(reals_[variable]);
    return *reals_[variable];
  });
}

namespace {

/// Applies the substitution to all formulas and polynomials of `task`, in order.
Task rebuild(const Task& task, Substitution& substitution) {
  const Roots all = roots(task);
  substitution.prepare(all.formulas, all.polynomials);

  Task result;
  for (const Formula assertion : task.problem.assertions)
    result.problem.assertions.push_back(substitution(assertion));
  for (const Weight& weight : task.problem.weights)
    result.problem.weights.push_back({substitution(weight.condition), substitution(weight.value)});
  for (const Query& query : task.queries) {
    Query copy = query;
    copy.event = substitution(query.event);
    copy.given = substitution(query.given);
    copy.term = substitution(query.term);
    result.queries.push_back(std::move(copy));
  }
  result.echoes = task.echoes;
  return result;
}

}  // namespace

Task extract(const Terms& source, std::span<const Variable> reals,
             std::span<const std::uint32_t> booleans, const Task& task) {
  Terms terms;
  Substitution substitution(source, terms);
  std::vector<std::optional<Variable>> renamed(source.real_count());
  for (const Variable variable : reals) {
    renamed[variable] = terms.declare_real(source.real_name(variable));
    substitution.set_real(variable, Polynomial::variable(*renamed[variable]));
  }
  for (const std::uint32_t boolean : booleans)
    substitution.set_boolean(boolean, terms.declare_boolean(source.boolean_name(boolean)));

  Task result = rebuild(task, substitution);
  result.problem.integrated = task.problem.integrated;
  for (const Observation& observation : task.problem.observations)
    result.problem.observations.push_back({*renamed[observation.variable], observation.value});
  result.problem.terms = std::move(terms);
  return result;
}

Task apply_observations(const Task& task) {
  const Problem& problem = task.problem;
  std::vector<std::optional<Rational>> values(problem.integrated.size());
  for (const Observation& observation : problem.observations)
    values[observation.variable] = observation.value;

  Terms terms;
  Substitution substitution(problem.terms, terms);
  std::vector<bool> integrated;
  for (Variable variable = 0; variable < values.size(); ++variable) {
    if (values[variable]) {
      substitution.set_real(variable, *values[variable]);
    } else {
      substitution.set_real(
          variable, Polynomial::variable(terms.declare_real(problem.terms.real_name(variable))));
      integrated.push_back(problem.integrated[variable]);
    }
  }
  for (std::uint32_t boolean = 0; boolean < problem.terms.boolean_count(); ++boolean)
    substitution.set_boolean(boolean, terms.declare_boolean(problem.terms.boolean_name(boolean)));

  Task result = rebuild(task, substitution);
  result.problem.integrated = std::move(integrated);
  result.problem.terms = std::move(terms);
  return result;
}

}  // namespace wmi
