// Formulas are evaluated bottom up, all that are not known, whenever there is something new: nodes
// have larger numbers than what they are made of, so that one pass will do.

#include "frontends/check/path.h"

#include <numeric>
#include <ranges>

namespace wmi::check {

LinearForm opposite(LinearForm form) {
  form.constant = -form.constant;
  for (auto& [variable, coefficient] : form.coefficients) coefficient = -coefficient;
  return form;
}

Path::Path(const Problem& problem)
    : problem_(problem),
      terms_(problem.terms),
      truth_(terms_.size()),
      values_(terms_.size()),
      forms_(terms_.size()) {
  state_.open.resize(terms_.size());
  std::iota(state_.open.begin(), state_.open.end(), 0U);
  state_.compared.resize(terms_.size());
  update();
}

void Path::undo() {
  state_ = std::move(marks_.back());
  marks_.pop_back();
  for (const std::uint32_t node : state_.open) truth_[node] = Truth::unknown;
  facts_.resize(state_.facts);
  pins_.resize(state_.pins);
}

void Path::update() {
  std::erase_if(state_.open, [&](std::uint32_t node) {
    if (truth_[node] == Truth::unknown) truth_[node] = evaluate(node);
    return truth_[node] != Truth::unknown;
  });
}

Truth Path::evaluate(std::uint32_t number) {
  const Node& node = terms_.node(number);
  const std::vector<Formula>& children = node.children;
  Truth result = Truth::yes;
  switch (node.kind) {
    case Kind::constant:
      return Truth::yes;
    case Kind::boolean:
      return Truth::unknown;
    case Kind::atom:
      return evaluate_atom(number, terms_.atom(node.index));
    case Kind::conjunction:
      for (const Formula child : children)
        if ((result = std::min(result, truth(child))) == Truth::no) break;
      return result;
    case Kind::choice:
      if (truth(children[1]) == truth(children[2])) return truth(children[1]);
      if (truth(children[0]) == Truth::unknown) return Truth::unknown;
      return truth(children[truth(children[0]) == Truth::yes ? 1 : 2]);
    case Kind::definition:
      break;
  }
  const Definition& definition = terms_.definition(node.index);
  const Truth condition = truth(definition.condition);
  const Polynomial& side = condition == Truth::yes ? definition.then : definition.otherwise;
  if (condition == Truth::unknown || !known(side)) return Truth::unknown;
  values_[number] = value(side);
  return Truth::yes;
}

/// An atom is known when its form is constant, or an equation between integrated reals (which has
/// no volume), or when there is a fact about its form, or the vertices of a cell show it.
Truth Path::evaluate_atom(std::uint32_t number, const Atom& atom) {
  LinearForm& form = forms_[number];
  std::size_t& compared = state_.compared[number];
  if (compared == 0) {
    const bool equation = atom.comparison == Comparison::equal;
    if (!std::ranges::all_of(atom.form.coefficients, [&](auto& one) { return known(one.first); }))
      return Truth::unknown;
    form = LinearForm(value(atom.form.polynomial()));
    if (form.is_constant()) return holds(form.constant, atom.comparison) ? Truth::yes : Truth::no;
    form.make_primitive();
    if (!in_integrated(problem_, form))
      return equation && std::ranges::count(facts_, form, &Fact::form) > 0 ? Truth::no
                                                                           : Truth::unknown;
    if (equation) return Truth::no;
    compared = 1;
  }
  for (; compared <= facts_.size(); ++compared)
    if (facts_[compared - 1].form == form) return facts_[compared - 1].truth;
  return state_.cell == nullptr ? Truth::unknown : static_cast<Truth>(-state_.cell->side(form));
}

void Path::set_boolean(std::uint32_t boolean, bool value) {
  truth_[terms_.boolean(boolean).node()] = value ? Truth::yes : Truth::no;
  update();
}

void Path::learn(LinearForm form, Truth truth, Truth of_opposite) {
  form.make_primitive();
  facts_.push_back({form, truth});
  facts_.push_back({opposite(std::move(form)), of_opposite});
  state_.facts = facts_.size();
  update();
}

/// Where the opposite is known already there is no volume, and any truth will do.
void Path::set_row(const LinearForm& form) { learn(form, Truth::yes, Truth::no); }

void Path::refute(const LinearForm& form) { learn(form, Truth::no, Truth::no); }

void Path::pin(const LinearForm& form) {
  const auto [variable, coefficient] = *std::ranges::find_if(
      form.coefficients, [&](const auto& entry) { return derived(entry.first); });
  Polynomial value = form.polynomial() - coefficient * Polynomial::variable(variable);
  pins_.push_back({variable, value *= -1 / coefficient});
  state_.pins = pins_.size();
  update();
}

void Path::enter(const Cell& cell) {
  state_.cell = &cell;
  update();
}

bool Path::known(const Polynomial& polynomial) const {
  return std::ranges::all_of(polynomial.terms(), [&](const Polynomial::Term& term) {
    return std::ranges::all_of(term.monomial, [&](Power power) { return known(power.variable); });
  });
}

/// Pins in their order: the value of one may have reals that a later one pins.
Polynomial Path::value(const Polynomial& polynomial) const {
  Polynomial result = polynomial.replace([&](Variable variable) {
    const std::uint32_t node = terms_.defining_node(variable);
    return node != 0 ? &values_[node] : nullptr;
  });
  for (const Pin& pin : pins_)
    result = result.replace(
        [&](Variable variable) { return variable == pin.variable ? &pin.value : nullptr; });
  return result;
}

bool Path::vanishes(const Polynomial& polynomial) const {
  const auto zero = [&](const Power& power) {
    const std::uint32_t node = terms_.defining_node(power.variable);
    return node != 0 && truth_[node] == Truth::yes && values_[node].zero();
  };
  return std::ranges::all_of(polynomial.terms(), [&](const Polynomial::Term& term) {
    return std::ranges::any_of(term.monomial, zero);
  });
}

std::optional<Variable> Path::unpinned() const {
  for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
    if (derived(variable) &&
        !in_integrated(problem_, LinearForm(value(Polynomial::variable(variable)))))
      return variable;
  return std::nullopt;
}

/// Of the form of an atom, and of what a choice may still choose.
std::vector<Variable> Path::reals_of(const Node& node) const {
  std::vector<Variable> result;
  const auto add = [&](const Polynomial& side) {
    for (const Variable real : side.variables()) result.push_back(real);
  };
  if (node.kind == Kind::atom)
    for (const auto& [real, coefficient] : terms_.atom(node.index).form.coefficients)
      result.push_back(real);
  if (node.kind != Kind::definition) return result;
  const Definition& definition = terms_.definition(node.index);
  if (truth(definition.condition) != Truth::no) add(definition.then);
  if (truth(definition.condition) != Truth::yes) add(definition.otherwise);
  return result;
}

/// All nodes that these are made of, below what is not known.
std::vector<bool> Path::wanted(const Roots& roots) const {
  std::vector<bool> result(terms_.size());
  const auto want = [&](Variable real) { result[terms_.defining_node(real)] = true; };
  for (const Formula formula : roots.formulas) result[formula.node()] = true;
  for (const Polynomial& term : roots.polynomials) std::ranges::for_each(term.variables(), want);
  for (const std::uint32_t number : state_.open | std::views::reverse) {
    if (!result[number]) continue;
    const Node& node = terms_.node(number);
    for (const Formula child : node.children) result[child.node()] = true;
    std::ranges::for_each(reals_of(node), want);
    if (node.kind == Kind::definition)
      result[terms_.definition(node.index).condition.node()] = true;
  }
  return result;
}

/// Booleans that nothing is made of still count.
void Path::focus(const Roots& roots) {
  std::erase_if(state_.open, [this, matters = wanted(roots)](std::uint32_t node) {
    return !matters[node] && terms_.node(node).kind != Kind::boolean;
  });
}

Path::Needs Path::needs(const Roots& roots) const {
  Needs result;
  const auto add = [&](Variable variable) {
    if (known(variable))
      for (const Variable real : value(Polynomial::variable(variable)).variables())
        result.reals.insert(real);
  };
  const std::vector<bool> matters = wanted(roots);
  for (const Polynomial& term : roots.polynomials) std::ranges::for_each(term.variables(), add);
  for (const std::uint32_t node : state_.open) {
    if (!matters[node]) continue;
    if (terms_.node(node).kind == Kind::boolean) result.booleans.insert(terms_.node(node).index);
    std::ranges::for_each(reals_of(terms_.node(node)), add);
  }
  return result;
}

std::vector<Formula> Path::conjuncts(std::vector<Formula> open) const {
  std::vector<Formula> result;
  std::set<Formula> seen;
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    if (truth(part) == Truth::yes || !seen.insert(part).second) continue;
    const Node& node = terms_.node(part.node());
    if (node.kind == Kind::conjunction && !part.negated() && truth(part) == Truth::unknown) {
      open.insert(open.end(), node.children.begin(), node.children.end());
    } else if (node.kind == Kind::choice && truth(node.children[0]) != Truth::unknown) {
      const Formula chosen = node.children[truth(node.children[0]) == Truth::yes ? 1 : 2];
      open.push_back(part.negated() ? !chosen : chosen);
    } else {
      result.push_back(part);
    }
  }
  return result;
}

}  // namespace wmi::check
