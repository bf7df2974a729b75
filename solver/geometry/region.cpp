#include "solver/geometry/region.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <optional>

namespace wmi {
namespace {

/// The sets of coordinates that are connected by halfspaces.
std::vector<std::vector<Variable>> connected(std::size_t dimension,
                                             const std::vector<Halfspace>& halfspaces) {
  std::vector<Variable> root(dimension);
  std::iota(root.begin(), root.end(), Variable{0});
  const auto find = [&](Variable v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Halfspace& halfspace : halfspaces) {
    std::optional<Variable> first;
    for (Variable j = 0; j < dimension; ++j) {
      if (halfspace.normal[j] == 0) continue;
      if (first)
        root[find(j)] = find(*first);
      else
        first = j;
    }
  }
  std::map<Variable, std::vector<Variable>> sets;
  for (Variable j = 0; j < dimension; ++j) sets[find(j)].push_back(j);
  std::vector<std::vector<Variable>> result;
  result.reserve(sets.size());
  for (auto& [representative, members] : sets) result.push_back(std::move(members));
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Halfspace> restricted(const std::vector<Halfspace>& halfspaces,
                                  const std::vector<Variable>& coordinates) {
  std::vector<Halfspace> result;
  for (const Halfspace& halfspace : halfspaces) {
    Halfspace part{{}, halfspace.bound};
    for (const Variable j : coordinates) part.normal.push_back(halfspace.normal[j]);
    if (std::any_of(part.normal.begin(), part.normal.end(),
                    [](const Rational& entry) { return entry != 0; }))
      result.push_back(std::move(part));
  }
  return result;
}

bool constant(const Halfspace& halfspace) {
  return std::all_of(halfspace.normal.begin(), halfspace.normal.end(),
                     [](const Rational& entry) { return entry == 0; });
}

}  // namespace

std::size_t Region::vertex_count() const {
  std::size_t result = 0;
  for (const Factor& factor : factors) result += factor.polytope.vertex_count();
  return result;
}

Region make_region(std::size_t dimension, const std::vector<Halfspace>& halfspaces) {
  Region result;
  for (const Halfspace& halfspace : halfspaces)
    if (constant(halfspace) && halfspace.bound < 0) result.flat = true;
  std::optional<Unbounded> unbounded;  // thrown unless another factor is flat
  for (const std::vector<Variable>& coordinates : connected(dimension, halfspaces)) {
    if (result.flat) break;
    try {
      result.factors.push_back(
          {coordinates, Polytope(coordinates.size(), restricted(halfspaces, coordinates))});
      result.flat = result.factors.back().polytope.flat();
    } catch (const Unbounded& error) {
      Point direction(dimension);
      for (std::size_t i = 0; i < coordinates.size(); ++i)
        direction[coordinates[i]] = error.direction()[i];
      if (!unbounded) unbounded.emplace(std::move(direction));
    }
  }
  if (result.flat)
    result.factors.clear();
  else if (unbounded)
    throw *unbounded;
  return result;
}

}  // namespace wmi
