#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = x Phi(x), with the normal distribution function Phi, by its bounds; the range is -4 to 4
/// unless given.
struct Gelu : SmoothLayer {
  static constexpr std::string_view keyword = "gelu";

  static Gelu make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::gelu, -4, 4)};
  }
};

}  // namespace wmi::encoders
