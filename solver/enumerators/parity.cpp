#include "solver/enumerators/parity.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace wmi {
namespace {

/// (xor a b) is stored as (ite a (not b) b).
bool is_exclusive_or(const Node& node) {
  return node.kind == Kind::choice && node.children[1] == !node.children[2];
}

/// Is it a factor for one value of a Boolean?
bool is_of_literal(const Terms& terms, const Weight& weight) {
  return terms.node(weight.condition.node()).kind == Kind::boolean && weight.value.constant();
}

/// How often each node is used: by other nodes, as a condition, or as one of the roots. Numbers as
/// weights of a Boolean do not count.
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
  for (const Weight& weight : defined.problem.weights)
    if (!is_of_literal(terms, weight)) use(weight.condition);
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

/// Of two numbers, for false and for true, or for an even and an odd count.
using Pair = std::array<Rational, 2>;

/// An exclusive or: true where the number of true operands is odd, or where it is even.
struct Parity {
  std::vector<Formula> own;     // Booleans that occur nowhere else, but for numbers as weights
  std::vector<Formula> others;  // the other operands
  bool odd = true;
};

/// Nothing if the formula is no exclusive or over Booleans, is used more than once, or has no
/// Booleans of its own.
std::optional<Parity> parity_of(const Terms& terms, const std::vector<std::size_t>& uses,
                                Formula formula) {
  if (!is_exclusive_or(terms.node(formula.node())) || uses[formula.node()] != 1)
    return std::nullopt;
  Parity result;
  std::vector<Formula> open{formula};
  while (!open.empty()) {
    const Formula part = open.back();
    open.pop_back();
    result.odd ^= part.negated();
    const Node& node = terms.node(part.node());
    for (const Formula operand : {node.children[0], node.children[2]}) {
      const Node& below = terms.node(operand.node());
      const bool once = uses[operand.node()] == 1;
      if (once && is_exclusive_or(below)) {
        open.push_back(operand);
        continue;
      }
      result.odd ^= operand.negated();
      const bool own = once && below.kind == Kind::boolean;
      (own ? result.own : result.others).push_back({operand.node(), false});
    }
  }
  if (result.own.empty() || !has_booleans_only(terms, formula)) return std::nullopt;
  return result;
}

/// The weights of the two values of a Boolean.
Pair weights_of(const Problem& problem, Formula boolean) {
  Pair result{1, 1};
  for (const Weight& weight : problem.weights)
    if (weight.condition.node() == boolean.node())
      result[weight.condition.negated() ? 0 : 1] *= weight.value.constant_term();
  return result;
}

/// The sum over all values of the parity's own Booleans, whose weights are given, where it holds: for
/// an even and for an odd number of other operands.
Pair sum_of(const Parity& parity, std::span<const Pair> weights) {
  Pair sum{parity.odd ? 0 : 1, parity.odd ? 1 : 0};
  for (const Pair& weight : weights)
    sum = {Rational(weight[0] * sum[0] + weight[1] * sum[1]),
           Rational(weight[0] * sum[1] + weight[1] * sum[0])};
  return sum;
}

/// The assertion is replaced by weights. Own Booleans stay, without weights: each divides by 2.
void remove_assertion(Problem& problem, Formula& assertion, const Parity& parity) {
  std::vector<Pair> weights;
  for (const Formula boolean : parity.own) {
    weights.push_back(weights_of(problem, boolean));
    for (Rational& number : weights.back()) number /= 2;
    std::erase_if(problem.weights,
                  [&](const Weight& weight) { return weight.condition.node() == boolean.node(); });
  }
  const Pair sum = sum_of(parity, weights);
  Formula odd = falsity;
  for (const Formula other : parity.others) odd = problem.terms.choice(odd, !other, other);
  assertion = truth;
  if (sum[0] == sum[1] || parity.others.empty()) {
    problem.weights.push_back({truth, Polynomial(sum[0])});
    return;
  }
  problem.weights.push_back({odd, Polynomial(sum[1])});
  problem.weights.push_back({!odd, Polynomial(sum[0])});
  if (sgn(sum[0]) == 0) assertion = odd;
  if (sgn(sum[1]) == 0) assertion = !odd;
}

/// The share of the weight of the own Booleans for which the parity holds, if it does not depend on
/// the other operands.
std::optional<Rational> share_of(const Problem& problem, const Parity& parity) {
  std::vector<Pair> weights;
  Rational total = 1;
  for (const Formula boolean : parity.own) {
    weights.push_back(weights_of(problem, boolean));
    total *= weights.back()[0] + weights.back()[1];
  }
  const Pair sum = sum_of(parity, weights);
  if (sgn(total) == 0 || (sum[0] != sum[1] && !parity.others.empty())) return std::nullopt;
  return Rational(sum[0] / total);
}

/// One of them, if there is one.
bool remove_parity(Defined& defined) {
  const std::vector<std::size_t> uses = count_uses(defined);
  for (Formula& assertion : defined.problem.assertions) {
    const auto parity = parity_of(defined.problem.terms, uses, assertion);
    if (!parity) continue;
    remove_assertion(defined.problem, assertion, *parity);
    return true;
  }
  for (Goal& goal : defined.goals) {
    if (!goal.plain() || !std::ranges::all_of(goal.summands, &Summand::is_one)) continue;
    const auto parity = parity_of(defined.problem.terms, uses, goal.condition);
    const auto share = parity ? share_of(defined.problem, *parity) : std::nullopt;
    if (!share) continue;
    goal.condition = truth;
    for (Summand& summand : goal.summands) summand = {Polynomial(*share), summand.sum, 1};
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
