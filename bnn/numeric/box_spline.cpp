#include "bnn/numeric/box_spline.h"

#include "bnn/numeric/gauss_legendre.h"

namespace wmi::bnn {
namespace {

/// i_k(z) = E[(z - G)_+^k] / k! of a standard normal G.
double normal_power(int k, double z) {
  if (k < 0) return normal_density(z);
  if (z > -0.5) {
    double before = normal_density(z), value = normal_cdf(z);
    for (int i = 1; i <= k; ++i) {
      const double next = (z * value + before) / i;
      before = value;
      value = next;
    }
    return value;
  }
  if (k == 0) return normal_cdf(z);
  // phi(z) times the integral of t^k / k! e^(zt - t^2/2) over t > 0.
  const auto& rule = GaussLegendre<24>::rule();
  const double length = z + std::sqrt(z * z + 80), half = length / 2;
  double sum = 0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const double t = half * (1 + rule.nodes[i]);
    double power = 1;
    for (int j = 1; j <= k; ++j) power *= t / j;
    sum += rule.weights[i] * power * std::exp((z - t / 2) * t);
  }
  return half * sum * normal_density(z);
}

/// (x)_+^k / k!, or the same smoothed by a Gaussian.
double blurred_power(int k, double x, double gaussian) {
  if (gaussian > 0) return std::pow(gaussian, k) * normal_power(k, x / gaussian);
  if (x <= 0) return 0;
  double result = 1;
  for (int j = 1; j <= k; ++j) result *= x / j;
  return result;
}

}  // namespace

double box_spline(const double* half_widths, std::size_t count, double gaussian, int order,
                  double x, double& size) {
  double sum = 0;
  size = 0;
  double volume = 1;
  for (std::size_t i = 0; i < count; ++i) volume *= 2 * half_widths[i];
  for (std::size_t corner = 0; corner < std::size_t{1} << count; ++corner) {
    double place = x, sign = 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (corner >> i & 1) {
        place -= half_widths[i];
        sign = -sign;
      } else {
        place += half_widths[i];
      }
    }
    const double term = blurred_power(static_cast<int>(count) + order - 1, place, gaussian);
    sum += sign * term;
    size += term;
  }
  size /= volume;
  return sum / volume;
}

}  // namespace wmi::bnn
