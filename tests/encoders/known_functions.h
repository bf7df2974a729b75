#pragma once

#include <algorithm>
#include <cmath>

#include "encoders/smooth_function.h"

namespace wmi::encoders {

/// A smooth function with its usual range, and a reference.
struct KnownFunction {
  Smooth function;
  long double (*truth)(long double);
  Rational reach;
};

inline const KnownFunction known_functions[] = {
    {Smooth::tanh, [](long double x) { return std::tanh(x); }, 4},
    {Smooth::sigmoid, [](long double x) { return 1 / (1 + std::exp(-x)); }, 8},
    {Smooth::gelu, [](long double x) { return x * std::erfc(-x / std::sqrt(2.0L)) / 2; }, 4},
    {Smooth::softplus,
     [](long double x) { return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x))); }, 8},
    {Smooth::hardswish, [](long double x) { return x <= -3  ? 0
                                                   : x >= 3 ? x
                                                            : x * (x + 3) / 6; },
     3},
};

}  // namespace wmi::encoders
