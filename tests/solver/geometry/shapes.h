#pragma once

#include <cstddef>
#include <vector>

#include "solver/geometry/halfspace.h"

namespace wmi::tests {

/// The simplex x_j >= 0, x_1 + ... + x_n <= size.
std::vector<Halfspace> simplex(std::size_t dimension, const Rational& size = 1);
/// lower[j] <= x_j <= upper[j].
std::vector<Halfspace> box(const Point& lower, const Point& upper);
/// lower <= x_j <= upper for all j.
std::vector<Halfspace> cube(std::size_t dimension, const Rational& lower, const Rational& upper);
/// |x_1| + ... + |x_n| <= 1.
std::vector<Halfspace> cross_polytope(std::size_t dimension);

}  // namespace wmi::tests
