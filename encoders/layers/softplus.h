#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = log(1 + exp(x)), by an enclosure; the default range is -8 to 8.
struct Softplus : SmoothLayer {
  static constexpr std::string_view keyword = "softplus";

  static Softplus make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::softplus, -8, 8)};
  }
};

}  // namespace wmi::encoders
