// One variable is conditioned on, and integrated over: the probability of the others given it, times
// its density, is log-concave (Prékopa), so that its maximum is found by bracketing, and where it is
// below e^-40 of that it is left out. Panels of Gauss-Legendre nodes integrate the rest.

#include "bnn/numeric/orthant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "bnn/numeric/box_spline.h"
#include "bnn/numeric/gauss_legendre.h"

namespace wmi::bnn {
namespace {

/// The log of the integral of e^g over [0, infinity) for a concave g, which changes over lengths of
/// about `scale`.
template <class Function>
double log_integral(const Function& g, double scale) {
  constexpr double depth = 40;
  double high = scale;
  while (g(2 * high) > g(high) && high < 1e150) high *= 2;
  high *= 2;
  double low = 0;
  constexpr double golden = 0.6180339887498949;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = g(a), at_b = g(b);
  while (high - low > 1e-5 * scale && high - low > 1e-9 * high) {
    if (at_a < at_b) {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = g(b);
    } else {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = g(a);
    }
  }
  const double at_low = g(low), top = at_low > g((low + high) / 2) ? low : (low + high) / 2;
  const double most = g(top);
  // From the maximum to where g is `depth` lower, on this side.
  const auto far_end = [&](double sign) {
    double length = scale;
    const auto inside = [&](double x) { return sign > 0 || x > 0; };
    while (inside(top + sign * length) && g(top + sign * length) > most - depth) length *= 2;
    double near = 0, far = sign < 0 ? std::min(length, top) : length;
    if (sign < 0 && g(0) >= most - depth) return 0.0;
    for (int i = 0; i < 60 && far - near > 0.02 * far; ++i) {
      const double middle = (near + far) / 2;
      (g(top + sign * middle) > most - depth ? near : far) = middle;
    }
    return top + sign * far;
  };
  const auto& rule = GaussLegendre<12>::rule();
  constexpr int panels = 16;
  double sum = 0;
  for (const double end : {far_end(-1), far_end(1)}) {
    const double half = (end - top) / (2 * panels);
    if (half == 0) continue;
    for (int panel = 0; panel < panels; ++panel)
      for (std::size_t k = 0; k < rule.nodes.size(); ++k)
        sum += std::abs(half) * rule.weights[k] *
               std::exp(g(top + half * (2 * panel + 1 + rule.nodes[k])) - most);
  }
  return most + std::log(sum);
}

}  // namespace

double normal_log_cdf(double z) {
  if (z > -30) return std::log(std::erfc(-z / std::numbers::sqrt2) / 2);
  const double w = 1 / (z * z);
  return normal_log_density(z) - std::log(-z) +
         std::log1p(-w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w * (1 - 9 * w)))));
}

double log_orthant(std::span<const double> mean, std::span<const double> covariance) {
  const std::size_t n = mean.size();
  if (n == 0) return 0;
  const double deviation = std::sqrt(covariance[0]);
  if (n == 1) return normal_log_cdf(mean[0] / deviation);
  // The others given the first.
  std::vector<double> rest, slopes, given(n - 1);
  for (std::size_t i = 1; i < n; ++i) {
    slopes.push_back(covariance[i * n] / covariance[0]);
    for (std::size_t j = 1; j < n; ++j)
      rest.push_back(covariance[i * n + j] - covariance[i * n] * covariance[j] / covariance[0]);
  }
  const auto g = [&](double x) {
    for (std::size_t i = 1; i < n; ++i) given[i - 1] = mean[i] + slopes[i - 1] * (x - mean[0]);
    return normal_log_density((x - mean[0]) / deviation) + log_orthant(given, rest);
  };
  return log_integral(g, deviation) - std::log(deviation);
}

}  // namespace wmi::bnn
