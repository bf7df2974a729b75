#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = 1 / (1 + exp(-x)), by an enclosure; the default range is -8 to 8.
struct Sigmoid : SmoothLayer {
  static constexpr std::string_view keyword = "sigmoid";

  static Sigmoid make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::sigmoid, -8, 8)};
  }
};

}  // namespace wmi::encoders
