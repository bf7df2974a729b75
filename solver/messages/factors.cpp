#include "solver/messages/factors.h"

#include <algorithm>
#include <span>

namespace wmi {
namespace {

/// What a formula and a polynomial depend on.
std::vector<Vertex> vertices_of(const Problem& problem, Formula condition,
                                const Polynomial& value) {
  const Terms& terms = problem.terms;
  std::vector<Vertex> result;
  const auto add_reals = [&](const Polynomial& polynomial) {
    for (const Polynomial::Term& term : polynomial.terms())
      for (const Power& power : term.monomial)
        if (terms.defining_node(power.variable) == 0) result.push_back(power.variable);
  };
  add_reals(value);
  const auto booleans = static_cast<Vertex>(problem.integrated.size());
  for (const std::uint32_t number : terms.below(std::span(&condition, 1), std::span(&value, 1))) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::boolean) {
      result.push_back(booleans + node.index);
    } else if (node.kind == Kind::atom) {
      for (const auto& [variable, coefficient] : terms.atom(node.index).form.coefficients)
        if (terms.defining_node(variable) == 0) result.push_back(variable);
    } else if (node.kind == Kind::definition) {
      add_reals(terms.definition(node.index).then);
      add_reals(terms.definition(node.index).otherwise);
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

Factors::Factors(const Problem& problem) : problem_(problem) {
  for (const Formula formula : conjuncts(problem)) {
    const std::vector<std::size_t> found = of_formula(formula);
    of_problem_.insert(of_problem_.end(), found.begin(), found.end());
  }
  // Equal formulas are one, equal weights are not: their product is a square.
  std::sort(of_problem_.begin(), of_problem_.end());
  of_problem_.erase(std::unique(of_problem_.begin(), of_problem_.end()), of_problem_.end());
  for (const Weight& weight : problem.weights) {
    const std::vector<std::size_t> found = of_weight(weight);
    of_problem_.insert(of_problem_.end(), found.begin(), found.end());
  }
}

std::vector<std::size_t> Factors::of_formula(Formula formula) {
  std::vector<std::size_t> result;
  std::vector<Formula> open = {formula};
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    const Node& node = problem_.terms.node(part.node());
    if (node.kind == Kind::conjunction && !part.negated())
      open.insert(open.end(), node.children.rbegin(), node.children.rend());
    else if (part != truth)
      result.push_back(add({true, part, {}, vertices_of(problem_, part, {})}));
  }
  return result;
}

std::vector<std::size_t> Factors::of_monomial(const Monomial& monomial) {
  std::vector<std::size_t> result;
  for (const Power& power : monomial) {
    const Polynomial value({{{power}, Rational(1)}});
    result.push_back(add({false, truth, value, vertices_of(problem_, truth, value)}));
  }
  return result;
}

std::size_t Factors::around(const Polynomial& term) {
  return add({true, truth, {}, vertices_of(problem_, truth, term)});
}

std::vector<std::size_t> Factors::of_weight(const Weight& weight) {
  if (weight.condition == truth && weight.value.terms().size() == 1) {
    const Polynomial::Term& term = weight.value.terms()[0];
    std::vector<std::size_t> result = of_monomial(term.monomial);
    if (term.coefficient != 1)
      result.push_back(add({false, truth, Polynomial(term.coefficient), {}}));
    return result;
  }
  return {add({false, weight.condition, weight.value,
               vertices_of(problem_, weight.condition, weight.value)})};
}

std::size_t Factors::add(Factor factor) {
  const std::pair key(factor.condition, factor.value.terms().size());
  for (auto [found, end] = known_.equal_range(key); found != end; ++found)
    if (all_[found->second] == factor) return found->second;
  known_.emplace(key, all_.size());
  all_.push_back(std::move(factor));
  return all_.size() - 1;
}

}  // namespace wmi
