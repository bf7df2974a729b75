#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// The normal law itself, cut to an interval or not. Integrals under it are enclosed, not exact.
struct Normal {
  static constexpr std::string_view name = "normal";
  static constexpr std::string_view usage = "normal(mean, deviation[, from, to])";
  static constexpr std::size_t arguments = 0;

  static Density make(std::span<const Rational> a) {
    if (a.size() != 2 && a.size() != 4) throw Error("expected " + std::string(usage));
    if (a[1] <= 0) throw Error("normal(mean, deviation) needs a deviation above 0");
    if (a.size() == 2) return {Law(), "", NormalLaw{a[0], a[1] * a[1]}};
    if (a[2] >= a[3])
      throw Error("normal(mean, deviation, from, to) needs from < to, not " + wmi::to_string(a[2]) +
                  " and " + wmi::to_string(a[3]));
    return {Law::uniform(a[2], a[3]), "", NormalLaw{a[0], a[1] * a[1]}};
  }
};

}  // namespace wmi::encoders
