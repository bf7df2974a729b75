#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace wmi::frontends {

/// The digits after the point that give a number this many significant digits.
inline int decimal_places(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
}

/// A number for people, with this many significant digits; an exponent only if it is tiny or huge.
///
///     plain_number(32740.6, 4);  // 32741
///     plain_number(0.25, 4);     // 0.25
inline std::string plain_number(double value, int digits) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || (value != 0 && (size < 1e-4 || size >= 1e9)))
    return fmt::format("{:.{}g}", value, digits);
  std::string text = fmt::format("{:.{}f}", value, decimal_places(value, digits));
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace wmi::frontends
