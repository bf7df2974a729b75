#pragma once

#include <random>

#include "tests/encoders/layer_cases.h"

namespace wmi::encoders {

/// Random cases of `conv2d`, and of `avg_pool` or `max_pool`.
LayerCase convolution_case(std::mt19937& random);
LayerCase pooling_case(std::mt19937& random, bool average);

}  // namespace wmi::encoders
