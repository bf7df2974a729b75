#include "solver/enumerators/branch.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace wmi {
namespace {

Truth truth_of(bool value) { return value ? Truth::yes : Truth::no; }

}  // namespace

Branch::Branch(const Problem& problem, const std::vector<std::uint32_t>& cone, bool names_products)
    : problem_(problem),
      truth_(problem.terms.size(), Truth::unknown),
      parents_(problem.terms.size()),
      open_(problem.terms.size()),
      values_(problem.terms.real_count()),
      arguments_(problem.terms.smooth() ? problem.terms.real_count() : 0),
      named_(names_products ? problem.terms.real_count() : 0),
      width_((problem.terms.smooth() ? problem.terms.real_count() : problem.integrated.size()) + 1),
      forms_(problem.terms.size()),
      seen_(2 * problem.terms.size()) {
  const Terms& terms = problem.terms;
  for (Variable variable = 0; variable < named_.size(); ++variable)
    named_[variable] = terms.degree(Polynomial::variable(variable)) > 1;
  const auto depends_on = [&](std::uint32_t node, Variable variable) {
    if (const std::uint32_t definition = terms.defining_node(variable); definition != 0)
      parents_[definition].push_back(node);
  };
  const auto depends = [&](std::uint32_t node, const std::vector<Variable>& variables) {
    for (const Variable variable : variables) depends_on(node, variable);
  };
  for (const std::uint32_t number : cone) {
    const Node& node = terms.node(number);
    for (const Formula child : node.children) parents_[child.node()].push_back(number);
    open_[number] = static_cast<std::uint32_t>(node.children.size());
    if (node.kind == Kind::atom) {
      for (const auto& [variable, coefficient] : terms.atom(node.index).form.coefficients)
        depends_on(number, variable);
    } else if (node.kind == Kind::definition) {
      const Definition& definition = terms.definition(node.index);
      parents_[definition.condition.node()].push_back(number);
      depends(number, definition.then.variables());
      depends(number, definition.otherwise.variables());
    }
  }
  conclude(0, Truth::yes);
  for (const std::uint32_t number : cone)
    if (terms.node(number).kind == Kind::atom) update_atom(number);
  propagate();
}

void Branch::decide(Decision decision) {
  assert(truth_[decision.node] == Truth::unknown);
  marks_.push_back({trail_.size(), form_trail_.size()});
  const std::uint32_t node = decision.node;
  const bool holds = decision.holds;
  decisions_.push_back(decision);
  conclude(node, truth_of(holds));
  propagate();
}

void Branch::undo() {
  const Terms& terms = problem_.terms;
  for (; trail_.size() > marks_.back().known; trail_.pop_back()) {
    const std::uint32_t number = trail_.back();
    const Node& node = terms.node(number);
    truth_[number] = Truth::unknown;
    if (node.kind == Kind::definition) values_[terms.definition(node.index).variable].reset();
    for (const std::uint32_t parent : parents_[number]) ++open_[parent];
  }
  concluded_ = trail_.size();
  for (; form_trail_.size() > marks_.back().forms; form_trail_.pop_back())
    forms_[form_trail_.back()].reset();
  marks_.pop_back();
  decisions_.pop_back();
}

void Branch::propagate() {
  for (; concluded_ < trail_.size(); ++concluded_)
    for (const std::uint32_t parent : parents_[trail_[concluded_]]) {
      --open_[parent];
      if (!known(parent)) update(parent);
    }
}

bool Branch::known(std::uint32_t number) const {
  const Node& node = problem_.terms.node(number);
  if (node.kind != Kind::definition) return truth_[number] != Truth::unknown;
  return values_[problem_.terms.definition(node.index).variable].has_value();
}

void Branch::conclude(std::uint32_t node, Truth value) {
  if (value == Truth::unknown) return;
  truth_[node] = value;
  trail_.push_back(node);
}

void Branch::update(std::uint32_t number) {
  const Node& node = problem_.terms.node(number);
  switch (node.kind) {
    case Kind::constant:
    case Kind::boolean:
      break;
    case Kind::atom:
      return update_atom(number);
    case Kind::definition:
      return update_definition(number);
    case Kind::conjunction:
      for (const Formula child : node.children)
        if (truth(child) == Truth::no) return conclude(number, Truth::no);
      if (open_[number] == 0) conclude(number, Truth::yes);
      break;
    case Kind::choice:
      return conclude(number, choice(truth(node.children[0]), truth(node.children[1]),
                                     truth(node.children[2])));
  }
}

bool Branch::unresolved(Variable variable) const {
  return problem_.terms.defining_node(variable) != 0 && !values_[variable];
}

std::uint32_t Branch::unresolved_in(const std::vector<Variable>& variables) const {
  for (const Variable variable : variables)
    if (unresolved(variable)) return problem_.terms.defining_node(variable);
  return 0;
}

void Branch::update_atom(std::uint32_t number) {
  const Atom& atom = problem_.terms.atom(problem_.terms.node(number).index);
  if (!forms_[number]) {
    bool defined = false;
    for (const auto& [variable, coefficient] : atom.form.coefficients) {
      if (unresolved(variable)) return;
      defined = defined || problem_.terms.defining_node(variable) != 0;
    }
    forms_[number] = Atom{defined ? combined(atom.form) : atom.form, atom.comparison};
    if (defined) forms_[number]->form.make_primitive();
    form_trail_.push_back(number);
  }
  const LinearForm& form = forms_[number]->form;
  if (form.is_constant()) conclude(number, truth_of(holds(form.constant, atom.comparison)));
  // An equation between integrated reals has no volume.
  else if (atom.comparison == Comparison::equal && in_integrated(problem_, form))
    conclude(number, Truth::no);
}

void Branch::update_definition(std::uint32_t number) {
  const Definition& definition = problem_.terms.definition(problem_.terms.node(number).index);
  const Truth condition = truth(definition.condition);
  if (condition == Truth::unknown) return;
  const Polynomial& chosen = condition == Truth::yes ? definition.then : definition.otherwise;
  for (const Variable variable : chosen.variables())
    if (unresolved(variable)) return;
  if (names_products() && named_[definition.variable]) {
    values_[definition.variable] =
        vanishes(chosen) ? Polynomial() : Polynomial::variable(definition.variable);
    trail_.push_back(number);
    return;
  }
  values_[definition.variable] = resolved(chosen);
  if (definition.function != Function::none) {
    arguments_[definition.variable] = std::move(values_[definition.variable]);
    values_[definition.variable] = Polynomial::variable(definition.variable);
  }
  trail_.push_back(number);
}

Decision Branch::open_in(Formula formula) const { return descend(formula.node()); }

Decision Branch::decision_on(std::uint32_t number, bool holds) const {
  const Node& node = problem_.terms.node(number);
  return {number, holds, node.kind == Kind::boolean ? nullptr : &*forms_[number], false};
}

/// Conjuncts, and the last open disjunct of a disjunction whose others are false.
std::vector<Decision> Branch::units_of(Formula formula) const {
  std::vector<Decision> result;
  std::vector<Formula> open = {formula};
  ++calls_;
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    std::size_t& seen = seen_[2 * part.node() + part.negated()];
    if (truth(part) != Truth::unknown || seen == calls_) continue;
    seen = calls_;
    const Node& node = problem_.terms.node(part.node());
    if (node.kind == Kind::conjunction && !part.negated()) {
      open.insert(open.end(), node.children.rbegin(), node.children.rend());
    } else if (node.kind == Kind::conjunction && open_[part.node()] == 1) {
      for (const Formula child : node.children)
        if (truth(child) == Truth::unknown) open.push_back(!child);
    } else if (node.kind == Kind::choice && truth(node.children[0]) != Truth::unknown) {
      const Formula chosen = node.children[truth(node.children[0]) == Truth::yes ? 1 : 2];
      open.push_back(part.negated() ? !chosen : chosen);
    } else if (node.kind == Kind::boolean || (node.kind == Kind::atom && forms_[part.node()])) {
      result.push_back(decision_on(part.node(), !part.negated()));
    }
  }
  return result;
}

std::vector<Decision> Branch::units_of(std::span<const Formula> formulas) const {
  std::vector<Decision> result;
  for (const Formula formula : formulas)
    if (truth(formula) == Truth::unknown)
      for (const Decision& unit : units_of(formula)) result.push_back(unit);
  std::stable_sort(result.begin(), result.end(), [](const Decision& a, const Decision& b) {
    const auto width = [](const Decision& unit) {
      return unit.atom ? unit.atom->form.coefficients.size() : 0;
    };
    return width(a) < width(b);
  });
  return result;
}

std::optional<Decision> Branch::open_in(const Polynomial& polynomial) const {
  for (const Polynomial::Term& term : polynomial.terms())
    for (const Power& power : term.monomial)
      if (unresolved(power.variable)) return descend(problem_.terms.defining_node(power.variable));
  return std::nullopt;
}

Decision Branch::descend(std::uint32_t number) const {
  const Terms& terms = problem_.terms;
  const auto first_unknown = [&](const std::vector<Formula>& children) {
    return std::find_if(children.begin(), children.end(),
                        [&](Formula child) { return truth(child) == Truth::unknown; })
        ->node();
  };
  for (;;) {
    const Node& node = terms.node(number);
    switch (node.kind) {
      case Kind::constant:
        throw std::logic_error("nothing is open here");
      case Kind::boolean:
        return decision_on(number, false);
      case Kind::atom:
        if (forms_[number]) return decision_on(number, false);
        number = unresolved_in(terms.atom(node.index).form.polynomial().variables());
        break;
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
        number =
            condition == Truth::unknown
                ? definition.condition.node()
                : unresolved_in((condition == Truth::yes ? definition.then : definition.otherwise)
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

std::size_t Branch::uses(std::uint32_t node) const {
  return static_cast<std::size_t>(
      std::count_if(parents_[node].begin(), parents_[node].end(),
                    [&](std::uint32_t parent) { return !known(parent); }));
}

std::vector<std::uint32_t> Branch::open_below(std::span<const Formula> formulas,
                                              std::span<const Polynomial> polynomials) const {
  const Terms& terms = problem_.terms;
  std::vector<std::uint32_t> result, open;
  std::vector<bool> seen(terms.size());
  const auto visit = [&](std::uint32_t number) {
    if (seen[number] || known(number)) return;
    seen[number] = true;
    open.push_back(number);
  };
  const auto visit_all = [&](const Polynomial& polynomial) {
    for (const Variable variable : polynomial.variables())
      if (unresolved(variable)) visit(terms.defining_node(variable));
  };
  for (const Formula formula : formulas) visit(formula.node());
  for (const Polynomial& polynomial : polynomials) visit_all(polynomial);
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    const Node& node = terms.node(number);
    for (const Formula child : node.children) visit(child.node());
    if (node.kind == Kind::boolean || node.kind == Kind::atom) result.push_back(number);
    if (node.kind == Kind::atom) visit_all(terms.atom(node.index).form.polynomial());
    if (node.kind != Kind::definition) continue;
    const Definition& definition = terms.definition(node.index);
    const Truth condition = truth(definition.condition);
    visit(definition.condition.node());
    if (condition != Truth::no) visit_all(definition.then);
    if (condition != Truth::yes) visit_all(definition.otherwise);
  }
  std::sort(result.begin(), result.end());
  return result;
}

Polynomial Branch::resolved(const Polynomial& polynomial) const {
  bool defined = false, affine = true;
  for (const Polynomial::Term& term : polynomial.terms()) {
    affine = affine && wmi::degree(term.monomial) <= 1;
    for (const Power& power : term.monomial) {
      if (problem_.terms.defining_node(power.variable) == 0) continue;
      assert(values_[power.variable]);
      defined = true;
      affine = affine && values_[power.variable]->degree() <= 1;
    }
  }
  if (!defined) return polynomial;
  if (affine) return combined(polynomial);
  return polynomial.substitute([&](Variable variable) {
    if (problem_.terms.defining_node(variable) == 0) return Polynomial::variable(variable);
    return *values_[variable];
  });
}

/// Adds `factor` times a variable's affine value to the coefficients, by variable, constant first.
void Branch::add_value(Variable variable, const Rational& factor) const {
  if (problem_.terms.defining_node(variable) == 0) {
    sums_[variable + 1] += factor;
    return;
  }
  assert(values_[variable]->degree() <= 1);
  for (const auto& [monomial, coefficient] : values_[variable]->terms())
    sums_[monomial.empty() ? 0 : monomial[0].variable + 1] += factor * coefficient;
}

Polynomial Branch::combined(const Polynomial& polynomial) const {
  sums_.assign(width_, Rational(0));
  for (const auto& [monomial, coefficient] : polynomial.terms())
    if (monomial.empty())
      sums_[0] += coefficient;
    else
      add_value(monomial[0].variable, coefficient);
  std::vector<Polynomial::Term> terms;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (sums_[i] != 0)
      terms.push_back(
          {i == 0 ? Monomial() : Monomial{{static_cast<Variable>(i - 1), 1}}, std::move(sums_[i])});
  return Polynomial(std::move(terms));
}

LinearForm Branch::combined(const LinearForm& form) const {
  sums_.assign(problem_.integrated.size() + 1, Rational(0));
  sums_[0] = form.constant;
  for (const auto& [variable, coefficient] : form.coefficients) add_value(variable, coefficient);
  LinearForm result;
  result.constant = std::move(sums_[0]);
  for (std::size_t i = 1; i < sums_.size(); ++i)
    if (sums_[i] != 0)
      result.coefficients.emplace_back(static_cast<Variable>(i - 1), std::move(sums_[i]));
  return result;
}

}  // namespace wmi
