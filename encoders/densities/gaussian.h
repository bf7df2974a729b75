#pragma once

#include "encoders/density.h"

namespace wmi::encoders {

/// The normal law truncated at 4 standard deviations, interpolated by cubic pieces with its values
/// and slopes at 65 points. `instead_of` has a bound on the error of the density.
struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  static constexpr std::string_view usage = "gaussian(mean, deviation)";
  static constexpr std::size_t arguments = 2;

  static Density make(std::span<const Rational> a);
};

}  // namespace wmi::encoders
