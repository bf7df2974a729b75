// The tails of the binomial law are incomplete beta functions, here by Lentz's evaluation of their
// continued fraction (DLMF 8.17.22); the ends of the interval are found by bisection.

#include "bnn/data/proportion.h"

#include <cmath>

namespace wmi::bnn {
namespace {

/// I_x(a, b), for a, b > 0.
double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(1 - x, b, a);  // converges faster
  constexpr double tiny = 1e-300;
  const auto away = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < 1'000'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  const double front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(front) * fraction / a;
}

/// Where a function that increases on [0, 1] reaches a value.
template <class Function>
double reached(const Function& function, double value) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (function(middle) < value ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

ProportionInterval proportion_interval(std::size_t hits, std::size_t rows, double level) {
  const double tail = (1 - level) / 2;
  const auto k = static_cast<double>(hits), n = static_cast<double>(rows);
  // P(at least k hits) = I_p(k, n - k + 1), P(at most k hits) = 1 - I_p(k + 1, n - k).
  const double lower =
      hits == 0 ? 0 : reached([&](double p) { return incomplete_beta(p, k, n - k + 1); }, tail);
  const double upper =
      hits == rows ? 1
                   : reached([&](double p) { return incomplete_beta(p, k + 1, n - k); }, 1 - tail);
  return {lower, upper};
}

}  // namespace wmi::bnn
