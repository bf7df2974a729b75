#pragma once

#include <cstddef>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

/// `count` independent uniforms on [-half_width, half_width].
struct Box {
  Rational half_width;
  unsigned count = 1;
};

/// The law of a sum of independent terms about its centre: uniforms ("boxes") and a Gaussian.
///
/// A uniform is one box, a triangular law two, a B-spline of order m is m boxes. The law is
/// symmetric and log-concave, so its density decreases on both sides of 0.
struct Boxes {
  std::vector<Box> boxes;  ///< the widest first, no two of one width, none of width 0
  Rational sigma;          ///< standard deviation of the Gaussian; 0 for none

  /// The number of boxes, with multiplicity.
  std::size_t count() const {
    std::size_t result = 0;
    for (const Box& box : boxes) result += box.count;
    return result;
  }

  /// All mass of the boxes lies in [-reach, reach].
  Rational reach() const {
    Rational result;
    for (const Box& box : boxes) result += box.count * box.half_width;
    return result;
  }

  Rational variance() const {
    Rational result;
    for (const Box& box : boxes) result += box.count * box.half_width * box.half_width;
    return result / 3 + sigma * sigma;
  }

  bool is_point() const { return boxes.empty() && sigma == 0; }
};

}  // namespace wmi
