#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

namespace wmi::bnn {

inline double normal_log_density(double z) { return -z * z / 2 - 0.91893853320467274178; }
inline double normal_density(double z) { return std::exp(normal_log_density(z)); }
inline double normal_cdf(double z) { return std::erfc(-z * std::numbers::sqrt2 / 2) / 2; }

/// The law of a sum of centred boxes and a Gaussian at x, as a box spline: a signed sum, over the
/// corners of the boxes, of truncated powers of degree `boxes + order - 1` smoothed by the
/// Gaussian, divided by the volume. Order 0 is the density, 1 the distribution function, 2 its
/// integral. `size` becomes the sum of the terms' absolute values: where it is much larger than the
/// result, digits are lost.
double box_spline(const double* half_widths, std::size_t count, double gaussian, int order,
                  double x, double& size);

}  // namespace wmi::bnn
