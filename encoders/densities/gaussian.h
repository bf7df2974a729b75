#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// The normal law cut off at 4 standard deviations, by cubic pieces that have its values and slopes
/// at 65 places. `instead_of` says how far its density can be from that of the cut-off normal law.
struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  static constexpr std::string_view usage = "gaussian(mean, deviation)";
  static constexpr std::size_t arguments = 2;

  static Density make(std::span<const Rational> a);
};

}  // namespace wmi::encoders
