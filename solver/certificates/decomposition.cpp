// Integrals over a product of independent parts.
//
// An integrand is a polynomial (the known weights and the term) times open factors, each of which
// belongs to one part. A known weight goes to the part that has all its reals. The remaining
// polynomial is a sum of monomials, each of whose integrals is a product of integrals of the parts.

#include "solver/certificates/decomposition.h"

#include <algorithm>
#include <map>
#include <set>

namespace wmi {
namespace {

/// Gives each known weight to the part that has all its reals; returns the remaining weights.
std::vector<std::uint32_t> share_weights(const ProofState& state, const Scope& scope,
                                         std::vector<Scope>& parts) {
  std::map<Variable, std::size_t> part_of;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Variable coordinate : parts[p].coordinates)
      part_of[state.coordinates.variables()[coordinate]] = p;
  std::vector<std::uint32_t> common;
  for (const std::uint32_t weight : scope.weights) {
    const auto& [condition, value] = state.problem.weights[weight];
    if (!state.evaluator.settled(state.branch, weight) ||
        state.branch.truth(condition) == Truth::no)
      continue;
    std::set<std::size_t> owners;
    for (const Variable real : state.branch.resolved(value).variables())
      owners.insert(part_of.at(real));
    std::vector<std::uint32_t>& target =
        owners.size() == 1 ? parts[*owners.begin()].weights : common;
    if (std::find(target.begin(), target.end(), weight) == target.end()) target.push_back(weight);
  }
  return common;
}

/// Determines the integrals of the parts: the monomials that the integrands need.
void share_integrals(ProofState& state, const Scope& scope,
                     const std::vector<Component>& components, Decomposition& decomposition) {
  std::vector<std::uint32_t> free = scope.booleans;
  for (const Component& component : components)
    std::erase_if(free, [&](std::uint32_t node) {
      return std::binary_search(component.booleans.begin(), component.booleans.end(), node);
    });
  const std::vector<std::uint32_t> common = share_weights(state, scope, decomposition.parts);
  const Polynomial factor = state.evaluator.weight(state.branch, common, free);
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& integral = scope.integrals[i];
    if (condition(integral, state.branch) == Truth::no) continue;
    decomposition.integrals.push_back(i);
    decomposition.integrands.add(state.in_coordinates(
        integral.term ? factor * power(state.branch.resolved(*integral.term), integral.order)
                      : factor));
  }
  for (std::size_t p = 0; p < decomposition.parts.size(); ++p) {
    Scope& part = decomposition.parts[p];
    part.integrals.clear();
    for (const Polynomial& monomial : decomposition.integrands.monomials(p))
      part.integrals.push_back({{},
                                monomial.substitute([&](Variable coordinate) {
                                  return Polynomial::variable(
                                      state.coordinates.variables()[part.coordinates[coordinate]]);
                                }),
                                1});
  }
}

}  // namespace

Groups group_integrals(const ProofState& state, const Scope& scope) {
  Groups result;
  std::vector<std::vector<Formula>> conditions;  // of each group
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& integral = scope.integrals[i];
    if (condition(integral, state.branch) == Truth::no || integral.sliced ||
        (integral.term && state.branch.open_in(*integral.term))) {
      result.unfit.push_back(i);
      continue;
    }
    std::vector<Formula> open = open_conditions(integral, state.branch);
    const auto same = std::find(conditions.begin(), conditions.end(), open);
    if (same == conditions.end()) {
      conditions.push_back(std::move(open));
      result.alike.push_back({i});
    } else {
      result.alike[static_cast<std::size_t>(same - conditions.begin())].push_back(i);
    }
  }
  if (!conditions.empty()) result.conditions = std::move(conditions[0]);
  return result;
}

Decomposition decompose(ProofState& state, const Scope& scope,
                        const std::vector<Component>& components, bool summed) {
  std::vector<Scope> parts;
  parts.reserve(components.size() + 1);
  for (const Component& component : components)
    parts.push_back({component.formulas,
                     component.weights,
                     component.booleans,
                     component.coordinates,
                     {CertifiedIntegral{}}});
  if (std::vector<Variable> rest = in_none(components, scope.coordinates); !rest.empty())
    parts.push_back({{}, {}, {}, std::move(rest), {CertifiedIntegral{}}});
  std::vector<std::vector<Variable>> coordinates;
  coordinates.reserve(parts.size());
  for (const Scope& part : parts) coordinates.push_back(part.coordinates);
  Decomposition result{std::move(parts), {}, Factored(std::move(coordinates))};
  if (summed) share_integrals(state, scope, components, result);
  return result;
}

void multiply(const Decomposition& decomposition, const std::vector<Scope>& parts, Scope& whole) {
  std::vector<std::vector<Interval>> totals(parts.size());
  bool open = false;
  std::size_t cells = 0;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const IntegralSum& sum : parts[p].sums) {
      totals[p].push_back(sum.value.total());
      open = open || sum.open;
      cells = std::max(cells, sum.cells);
    }
  std::vector<Interval> integrals = decomposition.integrands.integrals(totals);
  for (std::size_t i = 0; i < decomposition.integrals.size(); ++i) {
    IntegralSum& sum = whole.sums[decomposition.integrals[i]];
    sum.open = sum.open || open;
    sum.cells += cells;
    sum.value.add(std::move(integrals[i]));
  }
}

}  // namespace wmi
