#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = log(1 + exp(x)), by its bounds; the range is -8 to 8 unless given.
struct Softplus : SmoothLayer {
  static constexpr std::string_view keyword = "softplus";

  static Softplus make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::softplus, -8, 8)};
  }
};

}  // namespace wmi::encoders
