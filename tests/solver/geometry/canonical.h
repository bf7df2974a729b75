#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/geometry/polytope.h"

namespace wmi::tests {

/// The vertices, and the facets with the vertices on them, in an order that depends on nothing else.
struct CanonicalPolytope {
  std::vector<Point> vertices;
  std::vector<std::pair<std::vector<Rational>, std::vector<Point>>> faces;

  friend bool operator==(const CanonicalPolytope&, const CanonicalPolytope&) = default;
};

inline CanonicalPolytope canonical(const Polytope& polytope) {
  CanonicalPolytope result{polytope.vertices(), {}};
  const auto facets = polytope.facets();
  const auto halfspaces = polytope.halfspaces();
  for (std::size_t i = 0; i < facets.size(); ++i) {
    std::vector<Point> on;
    for (const std::size_t v : facets[i]) on.push_back(result.vertices[v]);
    std::sort(on.begin(), on.end());
    std::vector<Rational> numbers = halfspaces[i].normal;
    numbers.push_back(halfspaces[i].bound);
    result.faces.emplace_back(std::move(numbers), std::move(on));
  }
  std::sort(result.vertices.begin(), result.vertices.end());
  std::sort(result.faces.begin(), result.faces.end());
  return result;
}

}  // namespace wmi::tests
