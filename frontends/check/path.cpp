// All undecided formulas are evaluated bottom up after each new fact: nodes have larger numbers
// than their children, so one pass suffices.

#include "frontends/check/path.h"

#include <set>

namespace wmi::check {

Path::Path(const Problem& problem)
    : problem_(problem),
      terms_(problem.terms),
      truth_(terms_.size()),
      values_(terms_.size()),
      forms_(terms_.size()),
      compared_(terms_.size()) {
  for (std::uint32_t node = 0; node < terms_.size(); ++node) open_.push_back(node);
  update();
}

/// Merges removed nodes in again, in order; memory is proportional to the path.
void Path::undo() {
  const auto [closed, formed, facts, pins] = marks_.back();
  marks_.pop_back();
  const auto reopened = closed_.begin() + static_cast<std::ptrdiff_t>(closed);
  std::sort(reopened, closed_.end());
  const auto middle = open_.insert(open_.end(), reopened, closed_.end());
  std::inplace_merge(open_.begin(), middle, open_.end());
  closed_.resize(closed);
  facts_.resize(facts);
  pins_.resize(pins);
  for (; formed_.size() > formed; formed_.pop_back()) compared_[formed_.back()] = 0;
  for (const std::uint32_t node : open_) {
    truth_[node] = Truth::unknown;
    compared_[node] = std::min<std::size_t>(compared_[node], facts + (cell_ != nullptr ? 2 : 1));
  }
}

/// Removes decided and unwanted nodes from `open_`, but keeps Booleans.
void Path::update(const Set* wanted) {
  std::erase_if(open_, [&](std::uint32_t node) {
    if (truth_[node] == Truth::unknown) truth_[node] = evaluate(node);
    const bool matters = wanted == nullptr || contains(*wanted, node);
    if (truth_[node] == Truth::unknown && (matters || terms_.node(node).kind == Kind::boolean))
      return false;
    closed_.push_back(node);
    return true;
  });
}

Truth Path::evaluate(std::uint32_t number) {
  const auto& [kind, index, children] = terms_.node(number);
  const auto truth_of = [&](Formula formula) { return truth(formula); };
  if (kind == Kind::atom) return evaluate_atom(number, terms_.atom(index));
  if (kind == Kind::conjunction) return truth(std::ranges::min(children, {}, truth_of));
  if (kind == Kind::choice && truth(children[1]) == truth(children[2])) return truth(children[1]);
  if (kind == Kind::choice && truth(children[0]) != Truth::unknown)
    return truth(children[truth(children[0]) == Truth::yes ? 1 : 2]);
  if (kind != Kind::definition) return kind == Kind::constant ? Truth::yes : Truth::unknown;
  const auto& [variable, condition, then, otherwise, function] = terms_.definition(index);
  const Polynomial& side = truth(condition) == Truth::yes ? then : otherwise;
  if (truth(condition) == Truth::unknown || !known(side)) return Truth::unknown;
  values_[number] = value(side);
  return Truth::yes;
}

/// An atom is decided if its form is constant, if it is an equation between integrated reals (which
/// has no volume), if there is a fact about its form, or if the vertices of a cell decide it.
Truth Path::evaluate_atom(std::uint32_t number, const Atom& atom) {
  LinearForm& form = forms_[number];
  std::size_t& compared = compared_[number];
  if (compared == 0) {
    const bool equation = atom.comparison == Comparison::equal;
    if (!std::ranges::all_of(atom.form.coefficients, [&](auto& one) { return known(one.first); }))
      return Truth::unknown;
    form = LinearForm(value(atom.form.polynomial()));
    if (form.is_constant()) return holds(form.constant, atom.comparison) ? Truth::yes : Truth::no;
    form.make_primitive();
    if (!in_integrated(problem_, form))
      return equation && std::ranges::count(facts_, form, &Fact::first) > 0 ? Truth::no
                                                                            : Truth::unknown;
    if (equation) return Truth::no;
    compared = 1;
    formed_.push_back(number);
  }
  for (; compared <= facts_.size(); ++compared)
    if (facts_[compared - 1].first == form) return facts_[compared - 1].second;
  if (cell_ == nullptr || compared > facts_.size() + 1) return Truth::unknown;
  ++compared;  // the cell comes after all facts, once
  return static_cast<Truth>(-cell_->side(form));
}

void Path::set_boolean(std::uint32_t boolean, bool value) {
  truth_[terms_.boolean(boolean).node()] = value ? Truth::yes : Truth::no;
  update();
}

void Path::learn(LinearForm form, Truth truth) {
  form.make_primitive();
  facts_.emplace_back(form, truth);
  facts_.emplace_back(-std::move(form), Truth::no);
  update();
}

void Path::pin(const LinearForm& form) {
  const auto [variable, coefficient] = *std::ranges::find_if(
      form.coefficients, [&](const auto& entry) { return derived(entry.first); });
  Polynomial value = form.polynomial() - coefficient * Polynomial::variable(variable);
  pins_.emplace_back(variable, value *= -1 / coefficient);
  update();
}

void Path::enter(const Cell* cell) {
  cell_ = cell;
  update();
}

bool Path::known(const Polynomial& polynomial) const {
  return std::ranges::all_of(polynomial.variables(), [&](Variable one) { return known(one); });
}

/// Applies pins in their order: the value of one may have reals that a later one pins.
Polynomial Path::value(const Polynomial& polynomial) const {
  Polynomial result = polynomial.replace([&](Variable variable) {
    const std::uint32_t node = terms_.defining_node(variable);
    return node != 0 ? &values_[node] : nullptr;
  });
  for (const auto& pin : pins_)
    result = result.replace([&](Variable one) { return one == pin.first ? &pin.second : nullptr; });
  return result;
}

bool Path::vanishes(const Polynomial& polynomial) const {
  const auto zero = [&](Variable variable) {
    const std::uint32_t node = terms_.defining_node(variable);
    return node != 0 && known(variable) && values_[node].zero() ? &values_[node] : nullptr;
  };
  return polynomial.replace(zero).zero();
}

void Path::require_pinned() const {
  for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
    if (derived(variable) &&
        !in_integrated(problem_, LinearForm(value(Polynomial::variable(variable)))))
      throw Rejected("'" + terms_.real_name(variable) + "' is not pinned");
}

Path::Needs Path::needs(const Roots& roots) const {
  Needs result;
  const auto add = [](Set& set, std::size_t number) { mpz_setbit(set.get_mpz_t(), number); };
  const auto want = [&](Variable variable) {
    if (!known(variable))
      add(result.nodes, terms_.defining_node(variable));
    else if (variable < problem_.integrated.size() && problem_.integrated[variable])
      add(result.reals, variable);
    else
      for (const Variable real : value(Polynomial::variable(variable)).variables())
        add(result.reals, real);
  };
  for (const Formula formula : roots.formulas) add(result.nodes, formula.node());
  for (const Polynomial& term : roots.polynomials) std::ranges::for_each(term.variables(), want);
  for (std::size_t i = open_.size(); i-- > 0;) {
    const std::uint32_t number = open_[i];
    if (!contains(result.nodes, number)) continue;
    const auto& [kind, index, children] = terms_.node(number);
    for (const Formula child : children) add(result.nodes, child.node());
    if (kind == Kind::boolean) add(result.booleans, index);
    if (kind == Kind::atom)
      for (const auto& [variable, coefficient] :
           (compared_[number] > 0 ? forms_[number] : terms_.atom(index).form).coefficients)
        want(variable);
    if (kind != Kind::definition) continue;
    const Definition& definition = terms_.definition(index);
    add(result.nodes, definition.condition.node());
    if (truth(definition.condition) != Truth::no)
      std::ranges::for_each(definition.then.variables(), want);
    if (truth(definition.condition) != Truth::yes)
      std::ranges::for_each(definition.otherwise.variables(), want);
  }
  return result;
}

void Path::focus(const Roots& roots) {
  const Set wanted = needs(roots).nodes;
  update(&wanted);
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
