#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

namespace wmi::bnn {

inline double normal_log_density(double z) { return -z * z / 2 - 0.91893853320467274178; }
inline double normal_density(double z) { return std::exp(normal_log_density(z)); }
inline double normal_cdf(double z) { return std::erfc(-z * std::numbers::sqrt2 / 2) / 2; }

/// The law of a sum of centred boxes and a Gaussian, as a sum over the corners of the boxes of
/// blurred powers of order `boxes + order - 1`, over the volume: for order 0 the density, 1 the
/// distribution function, 2 its integral. `size` is what the terms add up to without their signs.
double box_spline(const double* half_widths, std::size_t count, double gaussian, int order,
                  double x, double& size);

}  // namespace wmi::bnn
