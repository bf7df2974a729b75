#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// Straight lines between the points (x_0, y_0), (x_1, y_1), ..., divided by the area below them.
struct Piecewise {
  static constexpr std::string_view name = "piecewise";
  static constexpr std::string_view usage = "piecewise(x0, y0, x1, y1, ...)";
  static constexpr std::size_t arguments = 0;  // any number

  static Density make(std::span<const Rational> a) {
    if (a.size() < 4 || a.size() % 2 != 0)
      throw Error("piecewise(x0, y0, x1, y1, ...) needs at least two points");
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i + 3 < a.size(); i += 2) {
      if (a[i] >= a[i + 2]) throw Error("piecewise(x0, y0, x1, y1, ...) needs ascending x");
      if (a[i + 1] < 0 || a[i + 3] < 0) throw Error("a density cannot be negative");
      const Rational slope = (a[i + 3] - a[i + 1]) / (a[i + 2] - a[i]);
      pieces.push_back({a[i], a[i + 2], Univariate({a[i + 1] - slope * a[i], slope})});
    }
    const Law law({}, pieces);
    if (law.zero()) throw Error("a density cannot be 0 everywhere");
    return {law.normalised(), ""};
  }
};

}  // namespace wmi::encoders
