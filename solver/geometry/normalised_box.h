#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/terms/interval.h"

namespace wmi {

/// Normalised coordinates: x = centre + half_width * u with u in [-1, 1], in exact doubles.
struct NormalisedBox {
  std::vector<double> centre, half_width;

  /// Around these ranges; nullopt if one is too wide or too narrow for doubles.
  static std::optional<NormalisedBox> around(std::span<const Interval> ranges);

  std::size_t dimension() const { return centre.size(); }
  /// The normalised coordinate of an exact one.
  Rational normalised(std::size_t coordinate, const Rational& x) const {
    return (x - Rational(centre[coordinate])) / Rational(half_width[coordinate]);
  }
};

}  // namespace wmi
