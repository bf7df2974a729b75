#pragma once

#include <string_view>

namespace wmi::bnn {

/// An increasing function from the possible outcomes onto the whole line: a network learns the
/// transformed outcome, whose law is that of the outcome by the change of variables.
enum class TargetTransform {
  none,
  log,    ///< log y, of numbers above 0
  log1p,  ///< log(1 + y), of numbers above -1
  logit,  ///< log(y / (1 - y)), of numbers between 0 and 1
  asinh   ///< log(y + sqrt(1 + y^2)), of all numbers: a logarithm far from 0 on both sides
};

/// `none`, `log`, ...; and the transform of such a name. Throws Error for others.
std::string_view name(TargetTransform transform);
TargetTransform target_transform(std::string_view name);

/// The open interval of the possible outcomes.
struct OutcomeRange {
  double from;
  double to;
};
OutcomeRange range(TargetTransform transform);
inline bool is_possible(TargetTransform transform, double y) {
  return y > range(transform).from && y < range(transform).to;
}

/// Of a possible outcome; minus or plus infinity at and beyond the ends.
double transformed(TargetTransform transform, double y);
/// The outcome of a transformed one.
double inverse(TargetTransform transform, double x);
/// The derivative of the inverse at x.
double inverse_slope(TargetTransform transform, double x);
/// log of the derivative of the transform at a possible outcome.
double log_slope(TargetTransform transform, double y);
/// E(inverse(x + e)) and E(inverse(x + e)^2) may grow with x like e^(growth x).
double growth(TargetTransform transform);

}  // namespace wmi::bnn
