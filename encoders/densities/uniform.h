#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// Constant between two numbers; `[from, to]` for short. A number, if they are equal.
struct Uniform {
  static constexpr std::string_view name = "uniform";
  static constexpr std::string_view usage = "uniform(from, to)";
  static constexpr std::size_t arguments = 2;

  static Density make(std::span<const Rational> a) {
    if (a[0] > a[1])
      throw Error("the interval from " + wmi::to_string(a[0]) + " to " + wmi::to_string(a[1]) +
                  " is empty");
    return {a[0] == a[1] ? Law::point(a[0]) : Law::uniform(a[0], a[1]), ""};
  }
};

}  // namespace wmi::encoders
