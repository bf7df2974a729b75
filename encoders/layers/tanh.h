#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = tanh(x), by an enclosure; the default range is -4 to 4.
struct Tanh : SmoothLayer {
  static constexpr std::string_view keyword = "tanh";

  static Tanh make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::tanh, -4, 4)};
  }
};

}  // namespace wmi::encoders
