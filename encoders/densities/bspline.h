#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// The law of the sum of `order` equal uniform numbers, on [from, to]: uniform, triangular,
/// quadratic, cubic, ...
struct Bspline {
  static constexpr std::string_view name = "bspline";
  static constexpr std::string_view usage = "bspline(from, to, order)";
  static constexpr std::size_t arguments = 3;
  static constexpr unsigned most = 40;

  static Density make(std::span<const Rational> a) {
    if (a[0] >= a[1]) throw Error("bspline(from, to, order) needs from < to");
    if (a[2].get_den() != 1 || a[2] < 1 || a[2] > most)
      throw Error("bspline(from, to, order) needs an order from 1 to " + std::to_string(most));
    const Law part = Law::uniform(a[0] / a[2], a[1] / a[2]);
    Law law = part;
    for (unsigned i = 1; i < a[2].get_num().get_ui(); ++i) law = convolution(law, part);
    return {law, ""};
  }
};

}  // namespace wmi::encoders
