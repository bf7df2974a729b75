#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// Rises linearly from `from` to `mode`, and falls linearly to `to`.
struct Triangular {
  static constexpr std::string_view name = "triangular";
  static constexpr std::string_view usage = "triangular(from, mode, to)";
  static constexpr std::size_t arguments = 3;

  static Density make(std::span<const Rational> a) {
    if (!(a[0] <= a[1] && a[1] <= a[2] && a[0] < a[2]))
      throw Error("triangular(from, mode, to) needs from <= mode <= to and from < to");
    const Rational top = 2 / (a[2] - a[0]);
    std::vector<Piece> pieces;
    if (a[0] < a[1]) {
      const Rational slope = top / (a[1] - a[0]);
      pieces.push_back({a[0], a[1], Univariate({-a[0] * slope, slope})});
    }
    if (a[1] < a[2]) {
      const Rational slope = top / (a[2] - a[1]);
      pieces.push_back({a[1], a[2], Univariate({a[2] * slope, -slope})});
    }
    return {Law({}, pieces), ""};
  }
};

}  // namespace wmi::encoders
