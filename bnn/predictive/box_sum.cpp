#include "bnn/predictive/box_sum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "bnn/numeric/box_spline.h"

namespace wmi::bnn {
namespace {

using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double negligible = 8.6;  // standard deviations
constexpr std::size_t few_boxes = 4;
constexpr std::size_t most_spline_boxes = 8;
constexpr std::size_t short_series = 192;
constexpr std::size_t long_series = 1024;

}  // namespace

double reach_of(const std::vector<double>& half_widths) {
  double result = 0;
  for (const double half : half_widths) result += half;
  return result;
}

BoxSum::BoxSum(const std::vector<double>& half_widths, double grain)
    : half_widths_(half_widths), grain_(grain) {
  const std::size_t count = half_widths.size();
  if (count <= few_boxes && keep(count) < 1e-12) return;
  if (make_series(short_series)) return;
  if (count <= most_spline_boxes && keep(count) < 1e-11) return;
  if (make_series(long_series)) return;
  std::size_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t kept = 1; kept <= std::min(count, most_spline_boxes); ++kept)
    if (const double error = keep(kept); error < least) {
      least = error;
      best = kept;
    }
  keep(best);
}

template <class Visit>
void BoxSum::turn(double x, const Visit& visit) const {
  const Complex step = std::polar(1.0, frequency_ * x);
  double real = step.real(), imaginary = step.imag();
  for (std::size_t m = 0; m < coefficients_.size(); ++m) {
    visit(m, Complex(real, imaginary));
    const double next = real * step.real() - imaginary * step.imag();
    imaginary = imaginary * step.real() + real * step.imag();
    real = next;
  }
}

double BoxSum::density(double x) const {
  if (coefficients_.empty()) {
    double size = 0;
    return box_spline(half_widths_.data(), kept_, gaussian_, 0, -std::abs(x), size);
  }
  double sum = 0;
  turn(x, [&](std::size_t m, Complex phase) { sum += coefficients_[m] * phase.real(); });
  return (1 + 2 * sum) * frequency_ / (2 * pi);
}

double BoxSum::cdf(double x) const {
  if (x <= -reach_) return 0;
  if (x >= reach_) return 1;
  if (coefficients_.empty()) {
    double size = 0;
    const double below = box_spline(half_widths_.data(), kept_, gaussian_, 1, -std::abs(x), size);
    return std::clamp(x < 0 ? below : 1 - below, 0.0, 1.0);
  }
  double sum = 0;
  turn(x, [&](std::size_t m, Complex phase) {
    sum += coefficients_[m] * phase.imag() / static_cast<double>(m + 1);
  });
  return std::clamp(0.5 + x * frequency_ / (2 * pi) + sum / pi, 0.0, 1.0);
}

std::vector<double> BoxSum::knots() const {
  std::vector<double> result{-reach_, reach_};
  if (!coefficients_.empty()) return result;
  for (std::size_t corner = 0; corner < std::size_t{1} << kept_; ++corner) {
    double place = 0;
    for (std::size_t i = 0; i < kept_; ++i)
      place += corner >> i & 1 ? -half_widths_[i] : half_widths_[i];
    for (const double step : {-8.0, -5.0, -2.0, 0.0, 2.0, 5.0, 8.0}) {
      if (gaussian_ == 0 && step != 0) continue;
      result.push_back(std::clamp(place + step * gaussian_, -reach_, reach_));
    }
  }
  return result;
}

double BoxSum::keep(std::size_t count) {
  kept_ = count;
  double variance = 0, fourth = 0;
  reach_ = 0;
  for (std::size_t i = 0; i < count; ++i) reach_ += half_widths_[i];
  for (std::size_t i = count; i < half_widths_.size(); ++i) {
    variance += half_widths_[i] * half_widths_[i] / 3;
    fourth += std::pow(half_widths_[i], 4) / 180;
  }
  gaussian_ = std::sqrt(variance);
  reach_ += negligible * gaussian_;
  double size = 0;
  box_spline(half_widths_.data(), count, gaussian_, 0, 0, size);
  error_ = 1e-15 * size * reach_;
  // The fourth derivative of an average is of this order: the widest box gives one of them.
  error_ += fourth / half_widths_[0] / std::pow(std::min(grain_, half_widths_[0]), 3);
  return error_;
}

bool BoxSum::make_series(std::size_t limit) {
  constexpr double tolerance = 1e-14;
  double variance = 0;
  for (const double half : half_widths_) variance += half * half / 3;
  reach_ = std::min(reach_of(half_widths_), negligible * std::sqrt(variance));
  const double frequency = pi / reach_;
  for (std::size_t length = 8; length <= limit; length += length / 4) {
    const double u = frequency * static_cast<double>(length);
    double squares = 0, far = 1;
    for (const double half : half_widths_) {
      const double a = half * u;
      if (a < 3)
        squares += a * a;
      else
        far *= a;
    }
    if (std::exp(-squares / 6) >= tolerance * far) continue;
    frequency_ = frequency;
    gaussian_ = 0;
    coefficients_.assign(length, 1);
    for (std::size_t m = 0; m < length; ++m)
      for (const double half : half_widths_) {
        const double a = half * frequency * static_cast<double>(m + 1);
        coefficients_[m] *= std::sin(a) / a;
      }
    error_ = tolerance * static_cast<double>(length);
    return true;
  }
  return false;
}

}  // namespace wmi::bnn
