#pragma once

#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

using Point = std::vector<Rational>;

/// The points x with normal . x <= bound.
struct Halfspace {
  std::vector<Rational> normal;
  Rational bound;

  friend bool operator==(const Halfspace&, const Halfspace&) = default;
};

}  // namespace wmi
