#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = x Phi(x), with the normal cdf Phi, by an enclosure; the default range is -4 to 4.
struct Gelu : SmoothLayer {
  static constexpr std::string_view keyword = "gelu";

  static Gelu make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::gelu, -4, 4)};
  }
};

}  // namespace wmi::encoders
