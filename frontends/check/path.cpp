#include "frontends/check/path.h"

namespace wmi::check {
namespace {

/// Makes it primitive with a positive first coefficient; true if that turned its sign.
bool normalise(LinearForm& form) {
  form.make_primitive();
  if (form.coefficients[0].second > 0) return false;
  form = opposite(std::move(form));
  return true;
}

}  // namespace

Path::Path(const Task& task)
    : problem_(task.problem),
      terms_(task.problem.terms),
      truth_(terms_.size(), Truth::unknown),
      users_(terms_.size()),
      open_(terms_.size()),
      values_(terms_.size()),
      forms_(terms_.size()),
      flipped_(terms_.size()) {
  const Roots all = roots(task);
  for (const std::uint32_t number : terms_.below(all.formulas, all.polynomials)) {
    const Node& node = terms_.node(number);
    const auto uses = [&](Formula part) {
      users_[part.node()].push_back(Formula(number, part.negated()));
    };
    const auto uses_choices = [&](const Polynomial& polynomial) {
      for (const Variable variable : polynomial.variables())
        if (terms_.defining_node(variable) != 0) uses({terms_.defining_node(variable), false});
    };
    open_[number] = node.children.size();
    for (const Formula child : node.children) uses(child);
    if (node.kind == Kind::atom) {
      atoms_.push_back(number);
      uses_choices(terms_.atom(node.index).form.polynomial());
    } else if (node.kind == Kind::definition) {
      const Definition& definition = terms_.definition(node.index);
      uses(definition.condition);
      uses_choices(definition.then);
      uses_choices(definition.otherwise);
    }
  }
  conclude(0, true);
  for (const std::uint32_t atom : atoms_) update_atom(atom);
  propagate();
}

void Path::conclude(std::uint32_t node, bool value) {
  if (truth_[node] != Truth::unknown) return;
  truth_[node] = value ? Truth::yes : Truth::no;
  trail_.push_back({node, false});
}

void Path::propagate() {
  for (; done_ < trail_.size(); ++done_) {
    const auto [node, form] = trail_[done_];
    if (form) continue;
    for (const Formula user : users_[node]) {
      if (terms_.node(user.node()).kind != Kind::conjunction) {
        update(user.node());
      } else if (--open_[user.node()]; truth({node, user.negated()}) == Truth::no) {
        conclude(user.node(), false);
      } else if (open_[user.node()] == 0) {
        conclude(user.node(), true);
      }
    }
  }
}

void Path::undo() {
  for (; trail_.size() > marks_.back().trail; trail_.pop_back()) {
    const auto [node, form] = trail_.back();
    if (form) {
      forms_[node].reset();
      continue;
    }
    truth_[node] = Truth::unknown;
    for (const Formula user : users_[node])
      if (terms_.node(user.node()).kind == Kind::conjunction) ++open_[user.node()];
  }
  facts_.resize(marks_.back().facts);
  pins_.resize(marks_.back().pins);
  done_ = trail_.size();
  marks_.pop_back();
}

/// An atom, a choice of formulas, or a definition.
void Path::update(std::uint32_t number) {
  const Node& node = terms_.node(number);
  if (truth_[number] != Truth::unknown) return;
  if (node.kind == Kind::atom) return update_atom(number);
  if (node.kind == Kind::definition) {
    const Definition& definition = terms_.definition(node.index);
    const Truth condition = truth(definition.condition);
    const Polynomial& side = condition == Truth::yes ? definition.then : definition.otherwise;
    if (condition == Truth::unknown || !known(side)) return;
    values_[number] = value(side);
    return conclude(number, true);
  }
  const Truth condition = truth(node.children[0]);
  const Truth then = truth(node.children[1]), otherwise = truth(node.children[2]);
  const Truth result = condition == Truth::yes  ? then
                       : condition == Truth::no ? otherwise
                       : then == otherwise      ? then
                                                : Truth::unknown;
  if (result != Truth::unknown) conclude(number, result == Truth::yes);
}

/// An atom is known when its form is constant, or an equation between integrated reals (which has
/// no volume), or when there is a fact about its form.
void Path::update_atom(std::uint32_t number) {
  if (truth_[number] != Truth::unknown || forms_[number]) return;
  const Atom& atom = terms_.atom(terms_.node(number).index);
  if (!std::ranges::all_of(atom.form.coefficients,
                           [&](const auto& entry) { return known(entry.first); }))
    return;
  LinearForm form(value(atom.form.polynomial()));
  if (form.is_constant()) return conclude(number, holds(form.constant, atom.comparison));
  const bool integrated = in_integrated(problem_, form),
             equation = atom.comparison == Comparison::equal;
  if (integrated && equation) return conclude(number, false);
  if (!integrated && !equation) return;
  flipped_[number] = normalise(form);
  for (const Fact& fact : facts_) compare(number, form, fact);
  if (!integrated || truth_[number] != Truth::unknown) return;
  forms_[number] = std::move(form);
  trail_.push_back({number, true});
}

void Path::compare(std::uint32_t atom, const LinearForm& form, const Fact& fact) {
  if (form == fact.form) conclude(atom, fact.sign != 0 && (fact.sign < 0) != flipped_[atom]);
}

void Path::set_boolean(std::uint32_t boolean, bool value) {
  decide(terms_.boolean(boolean).node(), value);
}

void Path::decide(std::uint32_t atom, bool value) {
  conclude(atom, value);
  propagate();
}

/// Where the form has a sign already and this is the other one, there is no volume, and any truth
/// will do.
void Path::set_sign(LinearForm form, int sign) {
  if (normalise(form)) sign = -sign;
  facts_.push_back({std::move(form), sign});
  for (const std::uint32_t atom : atoms_) {
    if (sign == 0) update_atom(atom);
    if (forms_[atom]) compare(atom, *forms_[atom], facts_.back());
  }
  propagate();
}

void Path::pin(const LinearForm& form) {
  const auto [variable, coefficient] = *std::ranges::find_if(
      form.coefficients, [&](const auto& entry) { return derived(entry.first); });
  Polynomial value = form.polynomial() - coefficient * Polynomial::variable(variable);
  pins_.push_back({variable, value *= -1 / coefficient});
  for (const std::uint32_t atom : atoms_) update_atom(atom);
  propagate();
}

bool Path::known(Variable variable) const {
  const std::uint32_t node = terms_.defining_node(variable);
  return node == 0 || truth_[node] == Truth::yes;
}

bool Path::known(const Polynomial& polynomial) const {
  return std::ranges::all_of(polynomial.variables(), [&](Variable one) { return known(one); });
}

/// Pins in their order: the value of one may have reals that a later one pins.
Polynomial Path::value(const Polynomial& polynomial) const {
  Polynomial result = polynomial;
  const auto replace = [&](const auto& chosen, const auto& value) {
    if (std::ranges::none_of(result.variables(), chosen)) return;
    result = result.substitute([&](Variable variable) {
      return chosen(variable) ? value(variable) : Polynomial::variable(variable);
    });
  };
  replace([&](Variable variable) { return terms_.defining_node(variable) != 0; },
          [&](Variable variable) { return values_[terms_.defining_node(variable)]; });
  for (const Pin& pin : pins_)
    replace([&](Variable variable) { return variable == pin.variable; },
            [&](Variable) { return pin.value; });
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
    if (derived(variable))
      for (const Variable left : value(Polynomial::variable(variable)).variables())
        if (derived(left)) return variable;
  return std::nullopt;
}

Path::Waiting Path::waiting(const Roots& roots) const {
  Waiting result;
  std::vector<std::uint32_t> open;
  std::vector<bool> seen(terms_.size());
  const auto visit = [&](std::uint32_t node) {
    if (seen[node] || truth_[node] != Truth::unknown) return;
    seen[node] = true;
    open.push_back(node);
  };
  const auto visit_all = [&](const Polynomial& part) {
    for (const Variable variable : part.variables())
      if (known(variable))
        result.reals.insert(variable);
      else
        visit(terms_.defining_node(variable));
  };
  for (const Formula formula : roots.formulas) visit(formula.node());
  for (const Polynomial& polynomial : roots.polynomials) visit_all(polynomial);
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    const Node& node = terms_.node(number);
    for (const Formula child : node.children) visit(child.node());
    if (node.kind == Kind::boolean) {
      result.booleans.insert(node.index);
    } else if (forms_[number]) {
      result.atoms.push_back(number);
    } else if (node.kind == Kind::atom) {
      visit_all(terms_.atom(node.index).form.polynomial());
    } else if (node.kind == Kind::definition) {
      const Definition& definition = terms_.definition(node.index);
      visit(definition.condition.node());
      if (truth(definition.condition) != Truth::no) visit_all(definition.then);
      if (truth(definition.condition) != Truth::yes) visit_all(definition.otherwise);
    }
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

LinearForm Path::form_of(std::uint32_t atom) const {
  return flipped_[atom] ? opposite(*forms_[atom]) : *forms_[atom];
}

}  // namespace wmi::check
