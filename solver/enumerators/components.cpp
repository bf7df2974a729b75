#include "solver/enumerators/components.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace wmi {
namespace {

/// Disjoint sets, by union-find.
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

/// Adds the unknown conjuncts of a formula.
void add_conjuncts(const Terms& terms, const Branch& branch, Formula formula,
                   std::vector<bool>& seen, std::vector<Formula>& result) {
  std::vector<Formula> open = {formula};
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    const std::size_t index = 2 * part.node() + part.negated();
    if (branch.truth(part) != Truth::unknown || seen[index]) continue;
    seen[index] = true;
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

/// Joins items with the open nodes and the declared reals below them. Each node is visited once.
class Walk {
 public:
  /// A node is the element `first_node` + its number of the sets, a real `first_real` + its number.
  Walk(const Terms& terms, const Branch& branch, Sets& sets, std::size_t first_node,
       std::size_t first_real)
      : terms_(terms),
        branch_(branch),
        sets_(sets),
        first_node_(first_node),
        first_real_(first_real),
        visited_(terms.size()) {}

  void join(std::size_t element, Formula formula) {
    if (branch_.truth(formula) == Truth::unknown) join_node(element, formula.node());
    run();
  }
  void join(std::size_t element, const Polynomial& polynomial) {
    join_reals(element, polynomial);
    run();
  }

  bool visited(std::uint32_t node) const { return visited_[node]; }

 private:
  void join_node(std::size_t element, std::uint32_t node) {
    sets_.join(element, first_node_ + node);
    if (visited_[node]) return;
    visited_[node] = true;
    open_.push_back(node);
  }

  void join_reals(std::size_t element, const Polynomial& polynomial) {
    for (const Polynomial::Term& term : polynomial.terms())
      for (const Power& power : term.monomial) join_real(element, power.variable);
  }

  void join_real(std::size_t element, Variable variable) {
    if (const std::uint32_t definition = terms_.defining_node(variable); definition == 0)
      sets_.join(element, first_real_ + variable);
    else if (const Polynomial* const value = branch_.value(variable))
      join_reals(element, *value);  // in declared reals
    else
      join_node(element, definition);
  }

  void run() {
    while (!open_.empty()) {
      const std::uint32_t number = open_.back();
      open_.pop_back();
      const std::size_t element = first_node_ + number;
      const Node& node = terms_.node(number);
      for (const Formula child : node.children)
        if (branch_.truth(child) == Truth::unknown) join_node(element, child.node());
      if (node.kind == Kind::atom) {
        const Atom* const known = branch_.atom(number);
        for (const auto& [variable, coefficient] :
             (known != nullptr ? *known : terms_.atom(node.index)).form.coefficients)
          join_real(element, variable);
      } else if (node.kind == Kind::definition) {
        const Definition& definition = terms_.definition(node.index);
        const Truth condition = branch_.truth(definition.condition);
        if (condition == Truth::unknown) join_node(element, definition.condition.node());
        if (condition != Truth::no) join_reals(element, definition.then);
        if (condition != Truth::yes) join_reals(element, definition.otherwise);
      }
    }
  }

  const Terms& terms_;
  const Branch& branch_;
  Sets& sets_;
  const std::size_t first_node_, first_real_;
  std::vector<bool> visited_;
  std::vector<std::uint32_t> open_;
};

}  // namespace

std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& evaluator, const ProductRegion& region,
                                  bool all_weights) {
  std::vector<std::uint32_t> weights(problem.weights.size());
  std::iota(weights.begin(), weights.end(), 0U);
  return components(problem, branch, evaluator, region, all_weights, problem.assertions, weights);
}

std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& evaluator, const ProductRegion& region,
                                  bool all_weights, std::span<const Formula> all_formulas,
                                  std::span<const std::uint32_t> weights_given) {
  const Terms& terms = problem.terms;
  std::vector<Formula> formulas;
  std::vector<bool> seen(2 * terms.size());
  for (const Formula formula : all_formulas) add_conjuncts(terms, branch, formula, seen, formulas);
  std::vector<std::uint32_t> weights;
  for (const std::uint32_t weight : weights_given)
    if (!evaluator.settled(branch, weight) ||
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
  const auto of = [&](std::size_t element) -> Component* {
    const auto found = numbers.find(sets.find(element));
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
    if (const std::uint32_t node = terms.boolean(boolean).node(); walk.visited(node))
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

}  // namespace wmi
