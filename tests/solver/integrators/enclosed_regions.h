#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/geometry/polytope.h"
#include "solver/terms/enclosed_polynomial.h"

namespace wmi::tests {

/// The least double that is not below the number, which is not negative.
inline double rounded_up(const Rational& value) { return round_outwards(value).upper; }

/// Maps a region by x = centre + half_width * u, exactly.
inline std::vector<Halfspace> mapped(std::vector<Halfspace> region,
                                     const std::vector<double>& centre,
                                     const std::vector<double>& half_width) {
  for (Halfspace& halfspace : region)
    for (std::size_t j = 0; j < centre.size(); ++j) {
      halfspace.normal[j] /= Rational(half_width[j]);
      halfspace.bound += halfspace.normal[j] * Rational(centre[j]);
    }
  return region;
}

/// How far the midpoint of a vertex is moved along a coordinate, as a share of its radius from -1 to
/// 1: given the true vertex in normalised coordinates, and the coordinate.
using Move = std::function<Rational(const Point& vertex, std::size_t coordinate)>;

/// Encloses the vertices of a polytope, with midpoints that are `radius` times `move` away from the
/// truth, and rounded. Radii are as small as this allows.
inline EnclosedPolytope enclosed(const Polytope& region, const std::vector<double>& centre,
                                 const std::vector<double>& half_width, double radius = 0,
                                 const Move& move = {}) {
  EnclosedPolytope result;
  result.dimension = region.dimension();
  result.centre = centre;
  result.half_width = half_width;
  for (Point vertex : region.vertices()) {
    for (std::size_t j = 0; j < vertex.size(); ++j)
      vertex[j] = (vertex[j] - Rational(centre[j])) / Rational(half_width[j]);
    Rational farthest = 0;
    for (std::size_t j = 0; j < vertex.size(); ++j) {
      Rational goal = vertex[j];
      if (move) goal += Rational(radius) * move(vertex, j);
      const DoubleInterval near = round_outwards(goal);
      const bool up = Rational(near.upper) - goal < goal - Rational(near.lower);
      const double midpoint = up ? near.upper : near.lower;
      result.vertices.push_back(midpoint);
      farthest = std::max(farthest, Rational(abs(Rational(midpoint) - vertex[j])));
    }
    result.radii.push_back(rounded_up(farthest));
  }
  for (std::size_t i = 0; i < region.facet_count(); ++i)
    result.incidences.insert(result.incidences.end(), region.incidence(i).begin(),
                             region.incidence(i).end());
  return result;
}

}  // namespace wmi::tests
