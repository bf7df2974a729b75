#include "solver/enumerators/branch.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace wmi {
namespace {

Truth truth_of(bool value) { return value ? Truth::yes : Truth::no; }

}  // namespace

Branch::Branch(const Problem& problem, std::vector<std::uint32_t> cone)
    : problem_(problem),
      cone_(std::move(cone)),
      decided_(problem.terms.size(), Truth::unknown),
      truth_(problem.terms.size(), Truth::unknown),
      values_(problem.terms.real_count()),
      forms_(problem.terms.size()) {
  truth_[0] = Truth::yes;
  propagate();
}

void Branch::decide(Decision decision) {
  decided_[decision.node] = truth_of(decision.holds);
  decisions_.push_back(std::move(decision));
}

void Branch::undo() {
  decided_[decisions_.back().node] = Truth::unknown;
  decisions_.pop_back();
  for (; !value_trail_.empty() && value_trail_.back().first > decisions_.size();
       value_trail_.pop_back())
    values_[value_trail_.back().second].reset();
  for (; !form_trail_.empty() && form_trail_.back().first > decisions_.size();
       form_trail_.pop_back())
    forms_[form_trail_.back().second].reset();
}

void Branch::propagate() {
  for (const std::uint32_t node : cone_) truth_[node] = evaluate(node);
}

Truth Branch::evaluate(std::uint32_t number) {
  const Terms& terms = problem_.terms;
  const Node& node = terms.node(number);
  switch (node.kind) {
    case Kind::constant:
      return Truth::yes;
    case Kind::boolean:
      return decided_[number];
    case Kind::atom: {
      if (decided_[number] != Truth::unknown) return decided_[number];
      const Atom& atom = terms.atom(node.index);
      if (!forms_[number]) {
        for (const auto& [variable, coefficient] : atom.form.coefficients)
          if (terms.defining_node(variable) != 0 && !values_[variable]) return Truth::unknown;
        forms_[number] = LinearForm(resolved(atom.form.polynomial()));
        form_trail_.emplace_back(decisions_.size(), number);
      }
      const LinearForm& form = *forms_[number];
      if (form.is_constant()) return truth_of(holds(form.constant, atom.comparison));
      // Between integrated reals alone an equation has no volume.
      if (atom.comparison == Comparison::equal && in_integrated(problem_, form)) return Truth::no;
      return Truth::unknown;
    }
    case Kind::conjunction: {
      Truth result = Truth::yes;
      for (const Formula child : node.children) {
        const Truth value = truth(child);
        if (value == Truth::no) return Truth::no;
        if (value == Truth::unknown) result = Truth::unknown;
      }
      return result;
    }
    case Kind::choice: {
      const Truth then = truth(node.children[1]), otherwise = truth(node.children[2]);
      switch (truth(node.children[0])) {
        case Truth::yes:
          return then;
        case Truth::no:
          return otherwise;
        case Truth::unknown:
          return then == otherwise ? then : Truth::unknown;
      }
      break;
    }
    case Kind::definition: {
      const Definition& definition = terms.definition(node.index);
      const Truth condition = truth(definition.condition);
      if (values_[definition.variable] || condition == Truth::unknown) break;
      const Polynomial& chosen = condition == Truth::yes ? definition.then : definition.otherwise;
      for (const Variable variable : chosen.variables())
        if (terms.defining_node(variable) != 0 && !values_[variable]) return Truth::unknown;
      values_[definition.variable] = resolved(chosen);
      value_trail_.emplace_back(decisions_.size(), definition.variable);
      break;
    }
  }
  return Truth::unknown;
}

Decision Branch::open_in(Formula formula) const { return descend(formula.node()); }

std::vector<Decision> Branch::units_of(Formula formula) const {
  std::vector<Decision> result;
  std::vector<Formula> open = {formula};
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    if (truth(part) != Truth::unknown) continue;
    const Node& node = problem_.terms.node(part.node());
    if (node.kind == Kind::conjunction && !part.negated())
      open.insert(open.end(), node.children.rbegin(), node.children.rend());
    else if (node.kind == Kind::boolean)
      result.push_back({part.node(), !part.negated(), std::nullopt, false});
    else if (node.kind == Kind::atom && forms_[part.node()])
      result.push_back({part.node(), !part.negated(),
                        Atom{*forms_[part.node()], problem_.terms.atom(node.index).comparison},
                        false});
  }
  return result;
}

std::optional<Decision> Branch::open_in(const Polynomial& polynomial) const {
  for (const Variable variable : polynomial.variables())
    if (problem_.terms.defining_node(variable) != 0 && !values_[variable])
      return descend(problem_.terms.defining_node(variable));
  return std::nullopt;
}

Decision Branch::descend(std::uint32_t number) const {
  const Terms& terms = problem_.terms;
  const auto first_unknown = [&](const std::vector<Formula>& children) {
    return std::find_if(children.begin(), children.end(),
                        [&](Formula child) { return truth(child) == Truth::unknown; })
        ->node();
  };
  const auto unresolved = [&](const std::vector<Variable>& variables) -> std::uint32_t {
    for (const Variable variable : variables)
      if (terms.defining_node(variable) != 0 && !values_[variable])
        return terms.defining_node(variable);
    return 0;
  };
  for (;;) {
    const Node& node = terms.node(number);
    switch (node.kind) {
      case Kind::constant:
        throw std::logic_error("nothing is open here");
      case Kind::boolean:
        return {number, false, std::nullopt, false};
      case Kind::atom: {
        if (forms_[number])
          return {number, false, Atom{*forms_[number], terms.atom(node.index).comparison}, false};
        number = unresolved(terms.atom(node.index).form.polynomial().variables());
        break;
      }
      case Kind::conjunction:
        number = first_unknown(node.children);
        break;
      case Kind::choice: {
        const Truth condition = truth(node.children[0]);
        number = condition == Truth::unknown ? node.children[0].node()
                 : condition == Truth::yes   ? node.children[1].node()
                                             : node.children[2].node();
        break;
      }
      case Kind::definition: {
        const Definition& definition = terms.definition(node.index);
        const Truth condition = truth(definition.condition);
        number = condition == Truth::unknown
                     ? definition.condition.node()
                     : unresolved((condition == Truth::yes ? definition.then : definition.otherwise)
                                      .variables());
        break;
      }
    }
  }
}

bool Branch::vanishes(const Polynomial& polynomial) const {
  const auto zero = [&](const Power& power) {
    return values_[power.variable] && values_[power.variable]->zero();
  };
  return std::all_of(polynomial.terms().begin(), polynomial.terms().end(),
                     [&](const Polynomial::Term& term) {
                       return std::any_of(term.monomial.begin(), term.monomial.end(), zero);
                     });
}

Polynomial Branch::resolved(const Polynomial& polynomial) const {
  return polynomial.substitute([&](Variable variable) {
    if (problem_.terms.defining_node(variable) == 0) return Polynomial::variable(variable);
    assert(values_[variable]);
    return *values_[variable];
  });
}

}  // namespace wmi
