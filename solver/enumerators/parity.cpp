#include "solver/enumerators/parity.h"

#include <algorithm>
#include <vector>

namespace wmi {
namespace {

/// (xor a b) is stored as (ite a (not b) b).
bool is_exclusive_or(const Node& node) {
  return node.kind == Kind::choice && node.children[1] == !node.children[2];
}

/// How often each node is used: by other nodes, as a condition, or as one of the roots.
std::vector<std::size_t> count_uses(const Defined& defined) {
  const Terms& terms = defined.problem.terms;
  std::vector<std::size_t> uses(terms.size());
  const auto use = [&](Formula formula) { ++uses[formula.node()]; };
  for (const std::uint32_t number : cone(defined.problem, defined.goals)) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::definition) use(terms.definition(node.index).condition);
    if (is_exclusive_or(node)) {  // its second operand is there twice
      use(node.children[0]);
      use(node.children[2]);
    } else {
      for (const Formula child : node.children) use(child);
    }
  }
  for (const Formula assertion : defined.problem.assertions) use(assertion);
  for (const Weight& weight : defined.problem.weights) use(weight.condition);
  for (const Goal& goal : defined.goals) use(goal.condition);
  return uses;
}

/// Does the formula depend on Booleans alone?
bool has_booleans_only(const Terms& terms, Formula formula) {
  const Formula roots[] = {formula};
  return std::ranges::none_of(terms.below(roots, {}), [&](std::uint32_t number) {
    const Kind kind = terms.node(number).kind;
    return kind == Kind::atom || kind == Kind::definition;
  });
}

/// Whether the formula is an exclusive or with a Boolean that occurs nowhere else.
bool has_pivot(const Terms& terms, const std::vector<std::size_t>& uses, Formula formula) {
  if (!is_exclusive_or(terms.node(formula.node())) || uses[formula.node()] != 1) return false;
  std::vector<std::uint32_t> open{formula.node()};
  while (!open.empty()) {
    const Node& node = terms.node(open.back());
    open.pop_back();
    for (const Formula operand : {node.children[0], node.children[2]}) {
      if (uses[operand.node()] != 1) continue;
      const Node& below = terms.node(operand.node());
      if (below.kind == Kind::boolean) return has_booleans_only(terms, formula);
      if (is_exclusive_or(below)) open.push_back(operand.node());
    }
  }
  return false;
}

/// One of them, if there is one.
bool remove_parity(Defined& defined) {
  const Terms& terms = defined.problem.terms;
  const std::vector<std::size_t> uses = count_uses(defined);
  const Rational half = ratio(1, 2);
  for (Formula& assertion : defined.problem.assertions) {
    if (!has_pivot(terms, uses, assertion)) continue;
    assertion = truth;
    defined.problem.weights.push_back({truth, Polynomial(half)});
    return true;
  }
  for (Goal& goal : defined.goals) {
    if (!goal.plain() || !std::ranges::all_of(goal.summands, &Summand::is_one) ||
        !has_pivot(terms, uses, goal.condition))
      continue;
    goal.condition = truth;
    for (Summand& summand : goal.summands) summand = {Polynomial(half), summand.sum, 1};
    return true;
  }
  return false;
}

}  // namespace

void remove_parities(Defined& defined) {
  const Terms& terms = defined.problem.terms;
  const auto may_be = [&](Formula formula) { return is_exclusive_or(terms.node(formula.node())); };
  if (terms.boolean_count() == 0 || (std::ranges::none_of(defined.problem.assertions, may_be) &&
                                     std::ranges::none_of(defined.goals, may_be, &Goal::condition)))
    return;
  while (remove_parity(defined)) {
  }
}

}  // namespace wmi
