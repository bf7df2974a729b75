#include "solver/enumerators/component_problem.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace wmi {
namespace {

/// Rebuilds the open part of formulas and polynomials in the terms of another problem.
class OpenTerms {
 public:
  OpenTerms(const Problem& problem, const Branch& branch, const Component& component, Terms& target)
      : terms_(problem.terms), branch_(branch), target_(target) {
    for (const Variable coordinate : component.coordinates)
      reals_.emplace(coordinate, Polynomial::variable(target.declare_real("")));
    for (const std::uint32_t boolean : component.booleans)
      nodes_.emplace(boolean, target.declare_boolean(""));
  }

  Formula operator()(Formula formula) {
    prepare(std::span(&formula, 1), {});
    return rebuilt(formula);
  }
  Polynomial operator()(const Polynomial& polynomial) {
    prepare({}, std::span(&polynomial, 1));
    return rebuilt(polynomial);
  }

 private:
  /// Children have smaller numbers than their parents: what is needed, in ascending order.
  void prepare(std::span<const Formula> formulas, std::span<const Polynomial> polynomials) {
    std::vector<std::uint32_t> needed, open;
    std::vector<bool> seen(terms_.size());
    const auto need = [&](std::uint32_t node) {
      if (seen[node] || nodes_.contains(node)) return;
      seen[node] = true;
      open.push_back(node);
    };
    const auto need_formula = [&](Formula formula) {
      if (branch_.truth(formula) == Truth::unknown) need(formula.node());
    };
    const auto need_all = [&](const Polynomial& polynomial) {
      for (const Variable variable : polynomial.variables())
        if (terms_.defining_node(variable) != 0 && branch_.value(variable) == nullptr)
          need(terms_.defining_node(variable));
    };
    for (const Formula formula : formulas) need_formula(formula);
    for (const Polynomial& polynomial : polynomials) need_all(polynomial);
    while (!open.empty()) {
      const std::uint32_t number = open.back();
      open.pop_back();
      needed.push_back(number);
      const Node& node = terms_.node(number);
      for (const Formula child : node.children) need_formula(child);
      if (node.kind == Kind::atom) need_all(terms_.atom(node.index).form.polynomial());
      if (node.kind != Kind::definition) continue;
      const Definition& definition = terms_.definition(node.index);
      const Truth condition = branch_.truth(definition.condition);
      need_formula(definition.condition);
      if (condition != Truth::no) need_all(definition.then);
      if (condition != Truth::yes) need_all(definition.otherwise);
    }
    std::sort(needed.begin(), needed.end());
    for (const std::uint32_t number : needed) nodes_.emplace(number, build(number));
  }

  Formula build(std::uint32_t number) {
    const Node& node = terms_.node(number);
    switch (node.kind) {
      case Kind::constant:
      case Kind::boolean:  // declared in the constructor
        break;
      case Kind::atom: {
        const Atom* const known = branch_.atom(number);
        const Atom& atom = known != nullptr ? *known : terms_.atom(node.index);
        return target_.compare(rebuilt(atom.form.polynomial()), atom.comparison);
      }
      case Kind::conjunction: {
        std::vector<Formula> children;
        for (const Formula child : node.children) children.push_back(rebuilt(child));
        return target_.all(children);
      }
      case Kind::choice:
        return target_.choice(rebuilt(node.children[0]), rebuilt(node.children[1]),
                              rebuilt(node.children[2]));
      case Kind::definition: {
        const Definition& definition = terms_.definition(node.index);
        Polynomial value;
        switch (branch_.truth(definition.condition)) {
          case Truth::yes:
            value = rebuilt(definition.then);
            break;
          case Truth::no:
            value = rebuilt(definition.otherwise);
            break;
          case Truth::unknown:
            value = target_.choice(rebuilt(definition.condition), rebuilt(definition.then),
                                   rebuilt(definition.otherwise));
        }
        reals_.emplace(definition.variable, std::move(value));
        break;
      }
    }
    return truth;
  }

  /// A known formula is a constant: the nodes below it are not rebuilt.
  Formula rebuilt(Formula formula) const {
    const Truth known = branch_.truth(formula);
    if (known != Truth::unknown) return known == Truth::yes ? truth : falsity;
    const Formula positive = nodes_.at(formula.node());
    return formula.negated() ? !positive : positive;
  }

  Polynomial rebuilt(const Polynomial& polynomial) const {
    return polynomial.substitute([&](Variable variable) -> Polynomial {
      if (const auto known = reals_.find(variable); known != reals_.end()) return known->second;
      return rebuilt(*branch_.value(variable));
    });
  }

  const Terms& terms_;
  const Branch& branch_;
  Terms& target_;
  std::map<std::uint32_t, Formula> nodes_;
  std::map<Variable, Polynomial> reals_;
};

}  // namespace

Part component_problem(const Problem& problem, const Branch& branch, const ProductRegion& region,
                       const Component& component) {
  Part result;
  result.coordinates = component.coordinates;
  result.problem.integrated.assign(component.coordinates.size(), true);
  Terms& terms = result.problem.terms;
  OpenTerms open(problem, branch, component, terms);
  const std::vector<Halfspace> sides = region.restricted(component.coordinates).halfspaces();
  for (const Halfspace& side : sides) {
    Polynomial excess(Rational(-side.bound));
    for (Variable i = 0; i < side.normal.size(); ++i)
      excess += side.normal[i] * Polynomial::variable(i);
    result.problem.assertions.push_back(terms.compare(excess, Comparison::less_equal));
  }
  for (const Formula formula : component.formulas)
    result.problem.assertions.push_back(open(formula));
  for (const std::uint32_t weight : component.weights)
    result.problem.weights.push_back(
        {open(problem.weights[weight].condition), open(problem.weights[weight].value)});
  return result;
}

}  // namespace wmi
