#include "solver/enumerators/weighing.h"

#include <algorithm>

namespace wmi {
namespace {

struct Group {
  std::vector<std::uint32_t> booleans;  // ascending
  std::vector<const Weight*> weights;
};

/// Puts what shares a Boolean into one group.
void add(std::vector<Group>& groups, const Weight& weight, std::vector<std::uint32_t> booleans) {
  Group joined{std::move(booleans), {}};
  const auto shares = [&](const Group& group) {
    return std::any_of(group.booleans.begin(), group.booleans.end(), [&](std::uint32_t boolean) {
      return std::binary_search(joined.booleans.begin(), joined.booleans.end(), boolean);
    });
  };
  const auto rest = std::stable_partition(groups.begin(), groups.end(),
                                          [&](const Group& group) { return !shares(group); });
  for (auto group = rest; group != groups.end(); ++group) {
    joined.booleans.insert(joined.booleans.end(), group->booleans.begin(), group->booleans.end());
    joined.weights.insert(joined.weights.end(), group->weights.begin(), group->weights.end());
  }
  groups.erase(rest, groups.end());
  std::sort(joined.booleans.begin(), joined.booleans.end());
  joined.booleans.erase(std::unique(joined.booleans.begin(), joined.booleans.end()),
                        joined.booleans.end());
  joined.weights.push_back(&weight);
  groups.push_back(std::move(joined));
}

Polynomial doubled(Polynomial polynomial, std::size_t times) {
  if (times == 0) return polynomial;
  Rational factor = 1;
  mpq_mul_2exp(factor.get_mpq_t(), factor.get_mpq_t(), times);
  return polynomial *= factor;
}

}  // namespace

bool Weighing::settled(const Branch& branch, const Weight& weight) const {
  const Truth condition = branch.truth(weight.condition);
  return condition == Truth::no ||
         (condition == Truth::yes && !branch.open_in(weight.value).has_value());
}

std::vector<std::uint32_t> Weighing::waits_for(const Branch& branch, const Weight& weight) const {
  return branch.open_below(std::span(&weight.condition, 1), std::span(&weight.value, 1));
}

std::optional<Decision> Weighing::open_in(const Branch& branch) const {
  std::vector<Group> groups;
  std::optional<Decision> boolean;
  for (const Weight& weight : problem_.weights) {
    if (settled(branch, weight)) continue;
    std::optional<Decision> decision = branch.truth(weight.condition) == Truth::unknown
                                           ? branch.open_in(weight.condition)
                                           : branch.open_in(weight.value);
    if (decision->atom) return decision;
    std::vector<std::uint32_t> waiting = waits_for(branch, weight);
    if (std::any_of(waiting.begin(), waiting.end(), [&](std::uint32_t node) {
          return problem_.terms.node(node).kind == Kind::atom;
        }))
      return decision;
    if (!boolean) boolean = std::move(decision);
    add(groups, weight, std::move(waiting));
  }
  for (const Group& group : groups)
    if (group.booleans.size() > most) return boolean;
  return std::nullopt;
}

Polynomial Weighing::product(const Branch& branch, std::span<const Weight* const> weights) const {
  Rational number = 1;
  Polynomial result;  // of those that are no numbers, if there are any
  bool constant = true;
  for (const Weight* const weight : weights) {
    if (branch.truth(weight->condition) != Truth::yes) continue;
    if (weight->value.constant()) {
      number *= weight->value.constant_term();
      continue;
    }
    Polynomial value = branch.resolved(weight->value);
    result = constant ? std::move(value) : result * value;
    constant = false;
  }
  if (constant) return Polynomial(number);
  return number == 1 ? result : result *= number;
}

/// Over the values of these Booleans that no decision fixes.
Polynomial Weighing::sum(Branch& branch, std::span<const Weight* const> weights,
                         std::span<const std::uint32_t> booleans) const {
  for (const Weight* const weight : weights) {
    if (settled(branch, *weight)) continue;
    Decision decision = branch.truth(weight->condition) == Truth::unknown
                            ? branch.open_in(weight->condition)
                            : *branch.open_in(weight->value);
    Polynomial result;
    for (const bool holds : {true, false}) {
      decision.holds = holds;
      branch.decide(decision);
      result += sum(branch, weights, booleans);
      branch.undo();
    }
    return result;
  }
  const auto open = std::count_if(booleans.begin(), booleans.end(), [&](std::uint32_t boolean) {
    return branch.truth(Formula(boolean, false)) == Truth::unknown;
  });
  return doubled(product(branch, weights), static_cast<std::size_t>(open));
}

Polynomial Weighing::weight(Branch& branch) const {
  std::vector<Group> groups;
  std::vector<const Weight*> determined;
  for (const Weight& weight : problem_.weights) {
    if (settled(branch, weight))
      determined.push_back(&weight);
    else
      add(groups, weight, waits_for(branch, weight));
  }
  std::size_t free = problem_.terms.boolean_count();
  for (const Decision& decision : branch.decisions()) free -= !decision.atom;
  Polynomial result = product(branch, determined);
  for (const Group& group : groups) {
    result = result * sum(branch, group.weights, group.booleans);
    free -= group.booleans.size();
  }
  return doubled(std::move(result), free);
}

}  // namespace wmi
