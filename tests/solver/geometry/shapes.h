#pragma once

#include <cstddef>
#include <vector>

#include "solver/geometry/halfspace.h"

namespace wmi::tests {

/// The simplex x_j >= 0, x_1 + ... + x_n <= size.
inline std::vector<Halfspace> simplex(std::size_t dimension, const Rational& size = 1) {
  std::vector<Halfspace> result;
  for (std::size_t j = 0; j < dimension; ++j) {
    result.push_back({std::vector<Rational>(dimension), 0});
    result.back().normal[j] = -1;
  }
  result.push_back({std::vector<Rational>(dimension, 1), size});
  return result;
}

/// lower[j] <= x_j <= upper[j].
inline std::vector<Halfspace> box(const Point& lower, const Point& upper) {
  std::vector<Halfspace> result;
  for (std::size_t j = 0; j < lower.size(); ++j) {
    std::vector<Rational> up(lower.size()), down(lower.size());
    up[j] = 1, down[j] = -1;
    result.push_back({down, -lower[j]});
    result.push_back({up, upper[j]});
  }
  return result;
}

/// lower <= x_j <= upper for all j.
inline std::vector<Halfspace> cube(std::size_t dimension, const Rational& lower,
                                   const Rational& upper) {
  return box(Point(dimension, lower), Point(dimension, upper));
}

/// |x_1| + ... + |x_n| <= 1.
inline std::vector<Halfspace> cross_polytope(std::size_t dimension) {
  std::vector<Halfspace> result;
  for (unsigned signs = 0; signs < 1u << dimension; ++signs) {
    result.push_back({std::vector<Rational>(dimension), 1});
    for (std::size_t j = 0; j < dimension; ++j) result.back().normal[j] = signs >> j & 1 ? 1 : -1;
  }
  return result;
}

}  // namespace wmi::tests
