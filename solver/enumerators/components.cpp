#include "solver/enumerators/components.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace wmi {
namespace {

/// Sets of things that hang together.
class Sets {
 public:
  explicit Sets(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }

  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parents_;
};

/// The parts of a formula that must all hold, those that are known to left out.
void take_apart(const Terms& terms, const Branch& branch, Formula formula, std::vector<bool>& seen,
                std::vector<Formula>& result) {
  std::vector<Formula> open = {formula};
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    const std::size_t place = 2 * part.node() + part.negated();
    if (branch.truth(part) != Truth::unknown || seen[place]) continue;
    seen[place] = true;
    const Node& node = terms.node(part.node());
    if (node.kind == Kind::conjunction && !part.negated()) {
      open.insert(open.end(), node.children.rbegin(), node.children.rend());
    } else if (node.kind == Kind::choice && branch.truth(node.children[0]) != Truth::unknown) {
      const Formula chosen = node.children[branch.truth(node.children[0]) == Truth::yes ? 1 : 2];
      open.push_back(part.negated() ? !chosen : chosen);
    } else {
      result.push_back(part);
    }
  }
}

/// Joins things with the open nodes and the declared reals that they are made of, those in turn
/// with what they are made of, and so on. Each node is looked at once.
class Walk {
 public:
  /// A node is the thing `first_node` + its number, a real `first_real` + its number.
  Walk(const Terms& terms, const Branch& branch, Sets& sets, std::size_t first_node,
       std::size_t first_real)
      : terms_(terms),
        branch_(branch),
        sets_(sets),
        first_node_(first_node),
        first_real_(first_real),
        met_(terms.size()) {}

  void join(std::size_t thing, Formula formula) {
    if (branch_.truth(formula) == Truth::unknown) join_node(thing, formula.node());
    run();
  }
  void join(std::size_t thing, const Polynomial& polynomial) {
    join_reals(thing, polynomial);
    run();
  }

  bool met(std::uint32_t node) const { return met_[node]; }

 private:
  void join_node(std::size_t thing, std::uint32_t node) {
    sets_.join(thing, first_node_ + node);
    if (met_[node]) return;
    met_[node] = true;
    open_.push_back(node);
  }

  void join_reals(std::size_t thing, const Polynomial& polynomial) {
    for (const Polynomial::Term& term : polynomial.terms())
      for (const Power& power : term.monomial) join_real(thing, power.variable);
  }

  void join_real(std::size_t thing, Variable variable) {
    if (const std::uint32_t definition = terms_.defining_node(variable); definition == 0)
      sets_.join(thing, first_real_ + variable);
    else if (const Polynomial* const value = branch_.value(variable))
      join_reals(thing, *value);  // in declared reals
    else
      join_node(thing, definition);
  }

  void run() {
    while (!open_.empty()) {
      const std::uint32_t number = open_.back();
      open_.pop_back();
      const std::size_t thing = first_node_ + number;
      const Node& node = terms_.node(number);
      for (const Formula child : node.children)
        if (branch_.truth(child) == Truth::unknown) join_node(thing, child.node());
      if (node.kind == Kind::atom) {
        const Atom* const known = branch_.atom(number);
        for (const auto& [variable, coefficient] :
             (known != nullptr ? *known : terms_.atom(node.index)).form.coefficients)
          join_real(thing, variable);
      } else if (node.kind == Kind::definition) {
        const Definition& definition = terms_.definition(node.index);
        const Truth condition = branch_.truth(definition.condition);
        if (condition == Truth::unknown) join_node(thing, definition.condition.node());
        if (condition != Truth::no) join_reals(thing, definition.then);
        if (condition != Truth::yes) join_reals(thing, definition.otherwise);
      }
    }
  }

  const Terms& terms_;
  const Branch& branch_;
  Sets& sets_;
  const std::size_t first_node_, first_real_;
  std::vector<bool> met_;
  std::vector<std::uint32_t> open_;
};

/// Rebuilds what is open of formulas and polynomials in other terms.
class Rest {
 public:
  Rest(const Problem& problem, const Branch& branch, const Component& component, Terms& target)
      : terms_(problem.terms), branch_(branch), target_(target) {
    for (const Variable coordinate : component.coordinates)
      reals_.emplace(coordinate, Polynomial::variable(target.declare_real("")));
    for (const std::uint32_t boolean : component.booleans)
      nodes_.emplace(boolean, target.declare_boolean(""));
  }

  Formula operator()(Formula formula) {
    prepare({formula}, {});
    return rebuilt(formula);
  }
  Polynomial operator()(const Polynomial& polynomial) {
    prepare({}, {polynomial});
    return rebuilt(polynomial);
  }

 private:
  /// Children have smaller numbers than their parents: what is needed, in ascending order.
  void prepare(std::vector<Formula> formulas, std::vector<Polynomial> polynomials) {
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
      case Kind::boolean:  // has its place from the start
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

  /// A branch of a choice that is not open is not needed, and may be out of reach.
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

std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& weighing, const ProductRegion& region,
                                  bool all_weights) {
  std::vector<std::uint32_t> weights(problem.weights.size());
  std::iota(weights.begin(), weights.end(), 0U);
  return components(problem, branch, weighing, region, all_weights, problem.assertions, weights);
}

std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& weighing, const ProductRegion& region,
                                  bool all_weights, std::span<const Formula> all_formulas,
                                  std::span<const std::uint32_t> weights_given) {
  const Terms& terms = problem.terms;
  std::vector<Formula> formulas;
  std::vector<bool> seen(2 * terms.size());
  for (const Formula formula : all_formulas) take_apart(terms, branch, formula, seen, formulas);
  std::vector<std::uint32_t> weights;
  for (const std::uint32_t weight : weights_given)
    if (!weighing.settled(branch, weight) ||
        (all_weights && branch.truth(problem.weights[weight].condition) == Truth::yes &&
         !problem.weights[weight].value.constant()))
      weights.push_back(weight);
  const std::size_t items = formulas.size() + weights.size();
  if (items < 2) return {};

  // Items first, then nodes, then coordinates.
  const std::size_t first_real = items + terms.size();
  Sets sets(first_real + region.dimension());
  Walk walk(terms, branch, sets, items, first_real);
  for (std::size_t item = 0; item < items; ++item) {
    if (item < formulas.size()) {
      walk.join(item, formulas[item]);
    } else {
      walk.join(item, problem.weights[weights[item - formulas.size()]].condition);
      walk.join(item, problem.weights[weights[item - formulas.size()]].value);
    }
  }
  for (const std::vector<Variable>& block : region.coordinates())
    for (const Variable coordinate : block)
      sets.join(first_real + coordinate, first_real + block[0]);

  std::map<std::size_t, std::size_t> numbers;  // of the component of a set
  std::vector<Component> result;
  const auto of = [&](std::size_t thing) -> Component* {
    const auto found = numbers.find(sets.find(thing));
    return found == numbers.end() ? nullptr : &result[found->second];
  };
  for (std::size_t item = 0; item < items; ++item) {
    if (numbers.try_emplace(sets.find(item), result.size()).second) result.emplace_back();
    if (item < formulas.size())
      of(item)->formulas.push_back(formulas[item]);
    else
      of(item)->weights.push_back(weights[item - formulas.size()]);
  }
  for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
    if (const std::uint32_t node = terms.boolean(boolean).node(); walk.met(node))
      of(items + node)->booleans.push_back(node);
  for (Component& component : result)
    std::sort(component.booleans.begin(), component.booleans.end());
  for (Variable coordinate = 0; coordinate < region.dimension(); ++coordinate)
    if (Component* const component = of(first_real + coordinate))
      component->coordinates.push_back(coordinate);
  return result;
}

std::vector<Variable> in_none(const std::vector<Component>& components,
                              std::vector<Variable> coordinates) {
  for (const Component& component : components)
    std::erase_if(coordinates, [&](Variable coordinate) {
      return std::binary_search(component.coordinates.begin(), component.coordinates.end(),
                                coordinate);
    });
  return coordinates;
}

Part part(const Problem& problem, const Branch& branch, const ProductRegion& region,
          const Component& component) {
  Part result;
  result.coordinates = component.coordinates;
  result.problem.integrated.assign(component.coordinates.size(), true);
  Terms& terms = result.problem.terms;
  Rest rest(problem, branch, component, terms);
  const std::vector<Halfspace> sides = region.restricted(component.coordinates).halfspaces();
  for (const Halfspace& side : sides) {
    Polynomial excess(Rational(-side.bound));
    for (Variable i = 0; i < side.normal.size(); ++i)
      excess += side.normal[i] * Polynomial::variable(i);
    result.problem.assertions.push_back(terms.compare(excess, Comparison::less_equal));
  }
  for (const Formula formula : component.formulas)
    result.problem.assertions.push_back(rest(formula));
  for (const std::uint32_t weight : component.weights)
    result.problem.weights.push_back(
        {rest(problem.weights[weight].condition), rest(problem.weights[weight].value)});
  return result;
}

}  // namespace wmi
