// Quantiles of a mixture of normal laws. One evaluation of the distribution function gives four
// derivatives of the density nearly for free, since those of a normal law are the density times
// Hermite polynomials. So F is replaced by its Taylor polynomial of degree 5, whose root is found by
// Newton's steps that cost nothing; two evaluations of F are enough as a rule, where root finding
// without derivatives takes a dozen. The start is the quantile of the normal law with the mixture's
// mean and variance (Abramowitz and Stegun, 26.2.23).
//
// The mean distance of two normal variables is s a(d / s) with a(z) = z (2 Phi(z) - 1) + 2 phi(z).
// For the many pairs with |z| <= 1, its power series takes less time than Phi and phi:
// a(z) sqrt(pi / 2) = 1 + sum of (-1)^k z^(2k+2) / (2^k k! (2k+1) (2k+2)).

#include "bnn/predictive/normal_mixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "bnn/numeric/box_spline.h"
#include "bnn/predictive/fast_law.h"

namespace wmi::bnn {
namespace {

/// The quantile of a standard normal law for p <= 1/2, to about 4.5e-4.
double rough_normal_quantile(double p) {
  const double t = std::sqrt(-2 * std::log(p));
  return (2.515517 + t * (0.802853 + t * 0.010328)) /
             (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
         t;
}

constexpr std::size_t distance_terms = 14;
constexpr std::array<double, distance_terms> distance_coefficients = [] {
  std::array<double, distance_terms> result{};
  double power = 1;  // (-1)^k / (2^k k!)
  for (std::size_t k = 0; k < distance_terms; ++k) {
    const auto n = static_cast<double>(k);
    result[k] = power / ((2 * n + 1) * (2 * n + 2));
    power /= -2 * (n + 1);
  }
  return result;
}();

/// a(z) sqrt(pi / 2) by its power series, from z^2 <= 1.
double distance_series(double square) {
  double sum = 0;
  for (std::size_t k = distance_terms; k-- > 0;) sum = sum * square + distance_coefficients[k];
  return 1 + square * sum;
}

}  // namespace

NormalMixture::NormalMixture(std::vector<Part> parts)
    : parts_(std::move(parts)), least_deviation_(std::numeric_limits<double>::infinity()) {
  scales_.reserve(parts_.size());
  for (const Part& part : parts_) mean_ += part.weight * part.mean;
  double variance = 0;
  for (const Part& part : parts_) {
    variance +=
        part.weight * (part.deviation * part.deviation + (part.mean - mean_) * (part.mean - mean_));
    least_deviation_ = std::min(least_deviation_, part.deviation);
    scales_.push_back(1 / part.deviation);
  }
  deviation_ = std::sqrt(variance);
}

double NormalMixture::quantile(double p) const {
  // The smaller tail keeps its digits: the upper one is the lower one of the mirrored law.
  const double side = p <= 0.5 ? 1 : -1, tail = p <= 0.5 ? p : 1 - p;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = -infinity, high = infinity;
  double x = side * mean_ + deviation_ * rough_normal_quantile(tail);
  for (int step = 0; step < 200; ++step) {
    double below = 0, density = 0, first = 0, second = 0, third = 0, fourth = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      const double scale = scales_[i], z = (x - side * part.mean) * scale;
      const double square = z * z;
      const double each = part.weight * normal_density(z) * scale;
      below += part.weight * normal_cdf(z);
      density += each;
      first -= each * z * scale;
      second += each * (square - 1) * scale * scale;
      third -= each * z * (square - 3) * scale * scale * scale;
      fourth += each * (square * (square - 6) + 3) * scale * scale * scale * scale;
    }
    const double missing = tail - below;
    (missing > 0 ? low : high) = x;
    // Far away Newton's step for the logarithm, which is concave; else the root of the Taylor
    // polynomial next to 0.
    const bool near = below > tail / 2 && below < 2 * tail;
    double move = near ? missing / density : below / density * std::log(tail / below);
    for (int i = 0; near && i < 4; ++i) {
      const double value =
          move *
              (density +
               move / 2 * (first + move / 3 * (second + move / 4 * (third + move / 5 * fourth)))) -
          missing;
      const double slope =
          density + move * (first + move / 2 * (second + move / 3 * (third + move / 4 * fourth)));
      move -= value / slope;
    }
    const double reach = 8 * deviation_ + std::abs(x - side * mean_);
    move = std::clamp(move, -reach, reach);
    double next = x + move;
    const bool inside = next > low && next < high;
    // The polynomial errs by the sixth power of the step, relative to a part's deviation or, far out,
    // to the shorter length over which the tail falls.
    if (inside && std::abs(move) < 1e-3 * least_deviation_ &&
        std::abs(move) * density < 1e-3 * tail)
      return side * next;
    if (missing == 0) return side * x;
    if (!inside) {
      next = std::isinf(low) ? x - reach : std::isinf(high) ? x + reach : (low + high) / 2;
      if (next == low || next == high) return side * next;  // neighbours
    }
    x = next;
  }
  return side * x;
}

double NormalMixture::half_spread() const {
  constexpr double factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // sqrt(2 / pi)
  thread_local std::vector<double> squares, deviations;
  squares.resize(parts_.size());
  deviations.resize(parts_.size());
  double sum = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& one = parts_[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double difference = one.mean - parts_[j].mean;
      const double variance =
          one.deviation * one.deviation + parts_[j].deviation * parts_[j].deviation;
      squares[j] = difference * difference / variance;
      deviations[j] = std::sqrt(variance);
    }
    double row = one.weight * one.deviation * std::numbers::sqrt2 / 2;  // with itself
    for (std::size_t j = 0; j < i; ++j)
      row += parts_[j].weight * deviations[j] * distance_series(std::min(squares[j], 1.0));
    row *= factor;
    for (std::size_t j = 0; j < i; ++j)
      if (squares[j] > 1)
        row += parts_[j].weight * (normal_distance(one.mean - parts_[j].mean, deviations[j]) -
                                   factor * deviations[j] * distance_series(1));
    sum += one.weight * row;
  }
  return sum;
}

}  // namespace wmi::bnn
