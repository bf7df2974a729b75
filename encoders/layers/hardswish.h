#pragma once

#include "encoders/layers/smooth.h"

namespace wmi::encoders {

/// y = x min(max(x + 3, 0), 6) / 6, by its bounds (exact beyond -3 and 3, up to the allowance that
/// they have there); the range is -3 to 3 unless given.
struct Hardswish : SmoothLayer {
  static constexpr std::string_view keyword = "hardswish";

  static Hardswish make(Attributes& attributes) {
    return {SmoothLayer::make(attributes, Smooth::hardswish, -3, 3)};
  }
};

}  // namespace wmi::encoders
