#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = x min(max(x + 3, 0), 6) / 6, by an enclosure (of constant width beyond -3 and 3); the
/// default range is -3 to 3.
struct Hardswish : SmoothLayer {
  static constexpr std::string_view keyword = "hardswish";

  static Hardswish make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::hardswish, -3, 3)};
  }
};

}  // namespace wmi::encoders
