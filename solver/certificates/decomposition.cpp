// A product of parts.
//
// An integrand is a polynomial, the weights and the term that are known, times what is still open,
// a factor of one part each. Known weights go to the part that has all their reals; what is left is
// a sum of monomials, and the integral of each is a product of integrals of the parts.

#include "solver/certificates/decomposition.h"

#include <algorithm>
#include <map>
#include <set>

namespace wmi {
namespace {

/// Gives each known weight to the part that has its reals; returns those that are left.
std::vector<std::uint32_t> share_weights(const ProofState& place, const Scope& scope,
                                         std::vector<Scope>& parts) {
  std::map<Variable, std::size_t> part_of;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Variable coordinate : parts[p].coordinates)
      part_of[place.coordinates.variables()[coordinate]] = p;
  std::vector<std::uint32_t> common;
  for (const std::uint32_t weight : scope.weights) {
    const auto& [condition, value] = place.problem.weights[weight];
    if (!place.weighing.settled(place.branch, weight) || place.branch.truth(condition) == Truth::no)
      continue;
    std::set<std::size_t> owners;
    for (const Variable real : place.branch.resolved(value).variables())
      owners.insert(part_of.at(real));
    std::vector<std::uint32_t>& target =
        owners.size() == 1 ? parts[*owners.begin()].weights : common;
    if (std::find(target.begin(), target.end(), weight) == target.end()) target.push_back(weight);
  }
  return common;
}

/// Makes aims of the parts: the monomials that the integrands need.
void share_aims(ProofState& place, const Scope& scope, const std::vector<Component>& components,
                Decomposition& apart) {
  std::vector<std::uint32_t> free = scope.booleans;
  for (const Component& component : components)
    std::erase_if(free, [&](std::uint32_t node) {
      return std::binary_search(component.booleans.begin(), component.booleans.end(), node);
    });
  const std::vector<std::uint32_t> common = share_weights(place, scope, apart.parts);
  const Polynomial factor = place.weighing.weight(place.branch, common, free);
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& aim = scope.aims[i];
    if (condition(aim, place.branch) == Truth::no) continue;
    apart.aims.push_back(i);
    apart.integrands.add(place.in_coordinates(
        aim.term ? factor * power(place.branch.resolved(*aim.term), aim.order) : factor));
  }
  for (std::size_t p = 0; p < apart.parts.size(); ++p) {
    Scope& part = apart.parts[p];
    part.aims.clear();
    for (const Polynomial& monomial : apart.integrands.monomials(p))
      part.aims.push_back({{},
                           monomial.substitute([&](Variable coordinate) {
                             return Polynomial::variable(
                                 place.coordinates.variables()[part.coordinates[coordinate]]);
                           }),
                           1});
  }
}

}  // namespace

Groups group_aims(const ProofState& place, const Scope& scope) {
  Groups result;
  std::vector<std::vector<Formula>> conditions;  // of each group
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& aim = scope.aims[i];
    if (condition(aim, place.branch) == Truth::no || aim.sliced ||
        (aim.term && place.branch.open_in(*aim.term))) {
      result.unfit.push_back(i);
      continue;
    }
    std::vector<Formula> open = open_conditions(aim, place.branch);
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

Decomposition take_apart(ProofState& place, const Scope& scope,
                         const std::vector<Component>& components, bool summed) {
  std::vector<Scope> parts;
  for (const Component& component : components)
    parts.push_back({component.formulas,
                     component.weights,
                     component.booleans,
                     component.coordinates,
                     {CertifiedIntegral{}}});
  if (std::vector<Variable> rest = in_none(components, scope.coordinates); !rest.empty())
    parts.push_back({{}, {}, {}, std::move(rest), {CertifiedIntegral{}}});
  std::vector<std::vector<Variable>> coordinates;
  for (const Scope& part : parts) coordinates.push_back(part.coordinates);
  Decomposition result{std::move(parts), {}, Factored(std::move(coordinates))};
  if (summed) share_aims(place, scope, components, result);
  return result;
}

void multiply(const Decomposition& apart, const std::vector<Scope>& parts, Scope& whole) {
  std::vector<std::vector<Interval>> totals(parts.size());
  bool open = false;
  std::size_t cells = 0;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Tally& tally : parts[p].tallies) {
      totals[p].push_back(tally.sum.total());
      open = open || tally.open;
      cells = std::max(cells, tally.cells);
    }
  std::vector<Interval> integrals = apart.integrands.integrals(totals);
  for (std::size_t i = 0; i < apart.aims.size(); ++i) {
    Tally& tally = whole.tallies[apart.aims[i]];
    tally.open = tally.open || open;
    tally.cells += cells;
    tally.sum.add(std::move(integrals[i]));
  }
}

}  // namespace wmi
