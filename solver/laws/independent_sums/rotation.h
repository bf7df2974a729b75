#pragma once

#include <cmath>
#include <numbers>

namespace wmi {

/// The relative error of rounding to a double.
inline constexpr double double_unit = 0x1p-53;

/// After m rotations from (1, 0) by a result of `on_circle`, the error of the pair is at most m
/// times this; see series.cpp.
inline constexpr double rotation_error = 7 * double_unit;

/// A point of the unit circle.
struct UnitPoint {
  double cosine = 1;
  double sine = 0;
};

/// The Taylor series on |r| <= 0.79, whose terms decrease so fast that only the last few roundings
/// matter: the sine has a relative error of 2u, the cosine an absolute one of 2u.
inline UnitPoint near_zero(double r) {
  const double y = r * r;
  double sine = 0, cosine = 0;
  for (int i = 19; i >= 3; i -= 2) sine = (1 - sine) * y / (i * (i - 1));
  for (int i = 20; i >= 2; i -= 2) cosine = (1 - cosine) * y / (i * (i - 1));
  return {1 - cosine, r - r * sine};
}

/// For angles from 0 to 3 pi / 4; the error of the cosine is at most 3u, that of the sine at most
/// 3.2u times the angle.
inline UnitPoint on_circle(double angle) {
  if (angle <= 0.785) return near_zero(angle);
  // The difference to pi/2 in two doubles; the first subtraction is exact.
  constexpr double quarter = 1.5707963267948966, quarter_rest = 6.123233995736766e-17;
  const UnitPoint turned = near_zero((quarter - angle) + quarter_rest);
  return {turned.sine, turned.cosine};
}

inline UnitPoint rotated(const UnitPoint& from, const UnitPoint& by) {
  return {from.cosine * by.cosine - from.sine * by.sine,
          from.sine * by.cosine + from.cosine * by.sine};
}

/// e^-x for x >= 0, with a relative error of 6u; 0 below e^-690.
inline double exp_minus(double x) {
  if (x > 690) return 0;
  constexpr double log2_high = 0x1.62e42fefap-1, log2_low = 0x1.cf79abc9e3b39p-40;
  const double n = std::nearbyint(x / std::numbers::ln2);
  const double r = (x - n * log2_high) - n * log2_low;
  double sum = 1;
  for (int i = 14; i >= 1; --i) sum = 1 - sum * r / i;
  return std::ldexp(sum, -static_cast<int>(n));
}

}  // namespace wmi
