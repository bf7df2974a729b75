#pragma once

#include <string>

#include "solver/terms/rational.h"

namespace wmi {

enum class Rounding { nearest, down, up };

/// `value` to `digits` significant decimal digits, as strtod reads them: `0.75`, `8.83e+18`.
///
/// Rounded correctly (nearest: ties to even), without trailing zeros, with an exponent only outside
/// 1e-5 ... 10^digits, like printf's %g.
///
///     decimal(ratio(2, 9), 17);               // 0.22222222222222222
///     decimal(ratio(2, 9), 3, Rounding::up);  // 0.223
std::string decimal(const Rational& value, int digits, Rounding rounding = Rounding::nearest);

}  // namespace wmi
