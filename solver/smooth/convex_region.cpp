#include "solver/smooth/convex_region.h"

#include <algorithm>
#include <utility>

#include "solver/geometry/polyhedron.h"

namespace wmi {
namespace {

/// (-bound, normal), as integers without a common divisor.
Integers row_of(const Halfspace& side) {
  Integer denominator = side.bound.get_den();
  for (const Rational& entry : side.normal) denominator = lcm(denominator, entry.get_den());
  std::vector<Integer> row{Integer(-side.bound.get_num() * (denominator / side.bound.get_den()))};
  for (const Rational& entry : side.normal)
    row.emplace_back(entry.get_num() * (denominator / entry.get_den()));
  Integer divisor = 0;
  for (const Integer& entry : row) divisor = gcd(divisor, entry);
  for (Integer& entry : row) entry /= divisor;
  return Integers(std::move(row));
}

bool is_zero(const Rational& entry) { return entry == 0; }

}  // namespace

ConvexRegion::ConvexRegion(std::size_t dim, std::vector<Halfspace> sides)
    : dimension(dim), halfspaces(std::move(sides)) {
  try {
    polytope.emplace(dimension, halfspaces);
    return;
  } catch (const Unbounded&) {
  }
  directions = unbounded_body().directions();
}

Polyhedron ConvexRegion::unbounded_body() const {
  Polyhedron body(dimension);
  for (const Halfspace& side : halfspaces) {
    if (std::ranges::all_of(side.normal, is_zero)) continue;
    const Integers row = row_of(side);
    if (body.sides(row) == Sides::both) body = body.below(row);
  }
  return body;
}

std::vector<Halfspace> ConvexRegion::facets() const {
  return polytope ? polytope->halfspaces() : unbounded_body().halfspaces();
}

/// In one dimension the halfspaces say it; in more, the vertices.
std::optional<Rational> ConvexRegion::end(Variable coordinate, int sign) const {
  std::optional<Rational> result;
  if (dimension > 1 && polytope) {
    for (const Point& vertex : polytope->vertices())
      if (!result || sign * vertex[coordinate] > sign * *result) result = vertex[coordinate];
    return result;
  }
  for (const Halfspace& side : halfspaces) {
    if (dimension > 1 || sign * side.normal[0] <= 0) continue;
    const Rational bound = side.bound / side.normal[0];
    if (!result || sign * bound < sign * *result) result = bound;
  }
  return result;
}

std::optional<Point> ConvexRegion::line() const {
  for (const Point& direction : directions)
    if (std::ranges::all_of(halfspaces, [&](const Halfspace& side) {
          Rational product = 0;
          for (std::size_t i = 0; i < dimension; ++i) product += side.normal[i] * direction[i];
          return product == 0;
        }))
      return direction;
  return std::nullopt;
}

}  // namespace wmi
