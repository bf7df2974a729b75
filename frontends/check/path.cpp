#include "frontends/check/path.h"

#include <algorithm>

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

std::size_t Path::Hash::operator()(const LinearForm& form) const {
  std::size_t result = form.constant.get_num().get_ui();
  for (const auto& [variable, coefficient] : form.coefficients)
    result = (result * 0x9E3779B97F4A7C15U + variable) ^
             (coefficient.get_num().get_ui() * 0xC2B2AE3D27D4EB4FU);
  return result;
}

Path::Path(const Task& task)
    : problem_(task.problem),
      terms_(task.problem.terms),
      any_derived_(std::count(problem_.integrated.begin(), problem_.integrated.end(), false) > 0),
      truth_(terms_.size(), Truth::unknown),
      parents_(terms_.size()),
      users_(terms_.real_count()),
      open_(terms_.size()),
      values_(terms_.real_count()),
      forms_(terms_.size()),
      registered_(terms_.size()),
      flipped_(terms_.size()) {
  const Roots all = roots(task);
  for (const std::uint32_t number : terms_.below(all.formulas, all.polynomials)) {
    const Node& node = terms_.node(number);
    open_[number] = static_cast<std::uint32_t>(node.children.size());
    for (const Formula child : node.children)
      parents_[child.node()].push_back({number, child.negated()});
    if (node.kind == Kind::atom) {
      atoms_.push_back(number);
      for (const auto& [variable, coefficient] : terms_.atom(node.index).form.coefficients)
        users_[variable].push_back(number);
    } else if (node.kind == Kind::definition) {
      const Definition& definition = terms_.definition(node.index);
      parents_[definition.condition.node()].push_back({number, false});
      for (const Polynomial* side : {&definition.then, &definition.otherwise})
        for (const Variable variable : side->variables()) users_[variable].push_back(number);
    }
  }
  conclude(0, true);
  for (const std::uint32_t atom : atoms_) update_atom(atom);
  propagate();
}

void Path::conclude(std::uint32_t node, bool value) {
  if (truth_[node] != Truth::unknown) return;
  truth_[node] = value ? Truth::yes : Truth::no;
  trail_.push_back({Event::truth, node});
}

void Path::propagate() {
  for (; done_ < trail_.size(); ++done_) {
    const Entry entry = trail_[done_];
    if (entry.event == Event::value)
      for (const std::uint32_t user : users_[entry.index])
        terms_.node(user).kind == Kind::atom ? update_atom(user) : update_definition(user);
    if (entry.event != Event::truth) continue;
    for (const Edge& edge : parents_[entry.index]) {
      const Kind kind = terms_.node(edge.parent).kind;
      if (kind == Kind::choice) update_choice(edge.parent);
      if (kind == Kind::definition) update_definition(edge.parent);
      if (kind != Kind::conjunction) continue;
      --open_[edge.parent];
      if (truth(Formula(entry.index, edge.negated)) == Truth::no)
        conclude(edge.parent, false);
      else if (open_[edge.parent] == 0)
        conclude(edge.parent, true);
    }
  }
}

void Path::update_choice(std::uint32_t number) {
  const std::vector<Formula>& children = terms_.node(number).children;
  const Truth condition = truth(children[0]), then = truth(children[1]);
  const Truth otherwise = truth(children[2]);
  const Truth result = condition == Truth::yes  ? then
                       : condition == Truth::no ? otherwise
                       : then == otherwise      ? then
                                                : Truth::unknown;
  if (result != Truth::unknown) conclude(number, result == Truth::yes);
}

/// An atom is known when its form is constant, or an equation between integrated reals (which has
/// no volume), or when the sign of its form is known.
void Path::update_atom(std::uint32_t number) {
  if (truth_[number] != Truth::unknown || registered_[number] != nullptr) return;
  const Atom& atom = terms_.atom(terms_.node(number).index);
  if (!forms_[number]) {
    const Polynomial form = atom.form.polynomial();
    if (!defined(form)) return;
    forms_[number] = LinearForm(unfolded(form));
    trail_.push_back({Event::form, number});
  }
  LinearForm form = reduced(*forms_[number]);
  if (!in_integrated(problem_, form)) return;
  if (form.is_constant()) return conclude(number, holds(form.constant, atom.comparison));
  if (atom.comparison == Comparison::equal) return conclude(number, false);
  flipped_[number] = normalise(form);
  const auto place = known_.try_emplace(std::move(form)).first;
  place->second.atoms.push_back(number);
  registered_[number] = &place->first;
  trail_.push_back({Event::registration, number});
  if (place->second.sign != 0)
    conclude(number, (place->second.sign < 0) != static_cast<bool>(flipped_[number]));
}

void Path::update_definition(std::uint32_t number) {
  const Definition& definition = terms_.definition(terms_.node(number).index);
  if (values_[definition.variable]) return;
  const Truth condition = truth(definition.condition);
  if (condition == Truth::unknown) return;
  const Polynomial& chosen = condition == Truth::yes ? definition.then : definition.otherwise;
  if (!defined(chosen)) return;
  values_[definition.variable] = unfolded(chosen);
  trail_.push_back({Event::value, definition.variable});
}

void Path::undo() {
  for (; trail_.size() > marks_.back(); trail_.pop_back()) {
    const Entry& entry = trail_.back();
    switch (entry.event) {
      case Event::truth:
        truth_[entry.index] = Truth::unknown;
        for (const Edge& edge : parents_[entry.index])
          if (terms_.node(edge.parent).kind == Kind::conjunction) ++open_[edge.parent];
        break;
      case Event::value:
        values_[entry.index].reset();
        break;
      case Event::form:
        forms_[entry.index].reset();
        break;
      case Event::registration: {
        const auto place = known_.find(*registered_[entry.index]);
        registered_[entry.index] = nullptr;
        place->second.atoms.pop_back();
        if (place->second.atoms.empty() && place->second.sign == 0) known_.erase(place);
        break;
      }
      case Event::sign: {
        const auto place = known_.find(*entry.form);
        place->second.sign = 0;
        if (place->second.atoms.empty()) known_.erase(place);
        break;
      }
      case Event::pin:
        pins_.pop_back();
    }
  }
  done_ = trail_.size();
  marks_.pop_back();
}

void Path::set_boolean(std::uint32_t boolean, bool value) {
  conclude(terms_.boolean(boolean).node(), value);
  propagate();
}

/// Where the form has a sign already and this is the other one, there is no volume, and any truth
/// will do.
void Path::set_sign(const LinearForm& form, int sign) {
  LinearForm key = form;
  if (normalise(key)) sign = -sign;
  const auto place = known_.try_emplace(std::move(key)).first;
  if (place->second.sign != 0) return;
  place->second.sign = sign;
  trail_.push_back({Event::sign, 0, &place->first});
  for (const std::uint32_t atom : place->second.atoms)
    conclude(atom, (sign < 0) != static_cast<bool>(flipped_[atom]));
  propagate();
}

void Path::pin(const LinearForm& form) {
  const auto pivot = std::find_if(form.coefficients.begin(), form.coefficients.end(),
                                  [&](const auto& entry) { return derived(entry.first); });
  Polynomial value = form.polynomial() - pivot->second * Polynomial::variable(pivot->first);
  value *= -1 / pivot->second;
  pins_.push_back({pivot->first, LinearForm(value)});
  trail_.push_back({Event::pin, 0});
  for (const std::uint32_t atom : atoms_) update_atom(atom);
  propagate();
}

void Path::exclude(const LinearForm& form) {
  LinearForm excluded = form;
  normalise(excluded);
  for (const std::uint32_t atom : atoms_) {
    if (truth_[atom] != Truth::unknown || !forms_[atom] ||
        terms_.atom(terms_.node(atom).index).comparison != Comparison::equal)
      continue;
    LinearForm own = reduced(*forms_[atom]);
    if (own.is_constant()) continue;
    normalise(own);
    if (own == excluded) conclude(atom, false);
  }
  propagate();
}

bool Path::defined(const Polynomial& polynomial) const {
  const std::vector<Variable> variables = polynomial.variables();
  return std::all_of(variables.begin(), variables.end(), [&](Variable variable) {
    return terms_.defining_node(variable) == 0 || values_[variable];
  });
}

/// With defined reals replaced by their values.
Polynomial Path::unfolded(const Polynomial& polynomial) const {
  const std::vector<Variable> variables = polynomial.variables();
  if (std::none_of(variables.begin(), variables.end(),
                   [&](Variable variable) { return terms_.defining_node(variable) != 0; }))
    return polynomial;
  return polynomial.substitute([&](Variable variable) {
    return terms_.defining_node(variable) == 0 ? Polynomial::variable(variable)
                                               : *values_[variable];
  });
}

/// Pins in their order: the value of one may have reals that a later one pins.
Polynomial Path::without_pinned(const Polynomial& polynomial) const {
  Polynomial result = polynomial;
  for (const Pin& pin : pins_) {
    const std::vector<Variable> variables = result.variables();
    if (!std::binary_search(variables.begin(), variables.end(), pin.variable)) continue;
    const Polynomial value = pin.value.polynomial();
    result = result.substitute([&](Variable variable) {
      return variable == pin.variable ? value : Polynomial::variable(variable);
    });
  }
  return result;
}

LinearForm Path::reduced(const LinearForm& form) const {
  if (in_integrated(problem_, form)) return form;
  return LinearForm(without_pinned(form.polynomial()));
}

bool Path::valued(const Polynomial& polynomial) const {
  if (!defined(polynomial)) return false;
  if (!any_derived_) return true;
  for (const Variable variable : value(polynomial).variables())
    if (derived(variable)) return false;
  return true;
}

Polynomial Path::value(const Polynomial& polynomial) const {
  return any_derived_ ? without_pinned(unfolded(polynomial)) : unfolded(polynomial);
}

bool Path::vanishes(const Polynomial& polynomial) const {
  const auto zero = [&](const Power& power) {
    return values_[power.variable] && values_[power.variable]->zero();
  };
  return std::all_of(polynomial.terms().begin(), polynomial.terms().end(),
                     [&](const Polynomial::Term& term) {
                       return std::any_of(term.monomial.begin(), term.monomial.end(), zero);
                     });
}

std::optional<Variable> Path::unpinned() const {
  if (any_derived_)
    for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
      if (derived(variable) && !valued(Polynomial::variable(variable))) return variable;
  return std::nullopt;
}

Path::Waiting Path::waiting(Formula formula, const Polynomial& polynomial, bool reals) const {
  Waiting result;
  std::vector<std::uint32_t> open;
  std::vector<bool> seen(terms_.size());
  const auto visit = [&](std::uint32_t node) {
    if (seen[node] || truth_[node] != Truth::unknown) return;
    seen[node] = true;
    open.push_back(node);
  };
  const auto visit_all = [&](const Polynomial& part) {
    for (const Variable variable : part.variables()) {
      if (const std::uint32_t node = terms_.defining_node(variable);
          node != 0 && !values_[variable])
        visit(node);
      else if (reals)
        for (const Variable real : value(Polynomial::variable(variable)).variables())
          result.reals.insert(real);
    }
  };
  visit(formula.node());
  visit_all(polynomial);
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    const Node& node = terms_.node(number);
    for (const Formula child : node.children) visit(child.node());
    if (node.kind == Kind::boolean) result.booleans.insert(node.index);
    if (const LinearForm* const form = registered_[number]) {
      result.atoms.push_back(number);
      for (std::size_t i = 0; reals && i < form->coefficients.size(); ++i)
        result.reals.insert(form->coefficients[i].first);
    } else if (node.kind == Kind::atom) {
      visit_all(terms_.atom(node.index).form.polynomial());
    }
    if (node.kind != Kind::definition) continue;
    const Definition& definition = terms_.definition(node.index);
    visit(definition.condition.node());
    if (truth(definition.condition) != Truth::no) visit_all(definition.then);
    if (truth(definition.condition) != Truth::yes) visit_all(definition.otherwise);
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

std::optional<LinearForm> Path::form_of(std::uint32_t atom) const {
  if (registered_[atom] == nullptr) return std::nullopt;
  return flipped_[atom] ? opposite(*registered_[atom]) : *registered_[atom];
}

}  // namespace wmi::check
