#pragma once

#include <functional>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/geometry/polytope.h"

namespace wmi::tests {

/// The least double that is not below the number, which is not negative.
double rounded_up(const Rational& value);

/// Maps a region by x = centre + half_width * u, exactly.
std::vector<Halfspace> mapped(std::vector<Halfspace> region, const std::vector<double>& centre,
                              const std::vector<double>& half_width);

/// How far the midpoint of a vertex is moved along a coordinate, as a share of its radius from -1 to
/// 1: given the true vertex in normalised coordinates, and the coordinate.
using Move = std::function<Rational(const Point& vertex, std::size_t coordinate)>;

/// Encloses the vertices of a polytope, with midpoints that are `radius` times `move` away from the
/// truth, and rounded. Radii are as small as this allows.
EnclosedPolytope enclosed(const Polytope& region, const std::vector<double>& centre,
                          const std::vector<double>& half_width, double radius = 0,
                          const Move& move = {});

}  // namespace wmi::tests
