#pragma once

#include <cmath>

namespace wmi::bnn {

/// The cumulant generating function of a uniform law on [-half, half], log(sinh(ht) / ht), and its
/// first two derivatives by t.
inline void box_cumulant(double half, double t, double& value, double& first, double& second) {
  const double a = half * std::abs(t), sign = t < 0 ? -1 : 1;
  if (a < 1e-2) {
    const double square = a * a;
    value = square * (1.0 / 6 - square * (1.0 / 180 - square / 2835));
    first = sign * half * a * (1.0 / 3 - square * (1.0 / 45 - square * (2.0 / 945)));
    second = half * half * (1.0 / 3 - square * (1.0 / 15 - square * (2.0 / 189)));
  } else {
    const double shrunk = std::exp(-2 * a), below = -std::expm1(-2 * a);
    value = a + std::log(below / (2 * a));
    first = sign * half * ((1 + shrunk) / below - 1 / a);
    second = half * half * (1 / (a * a) - 4 * shrunk / (below * below));
  }
}

}  // namespace wmi::bnn
