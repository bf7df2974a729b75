// Boxes and a Gaussian by a Fourier series. With the characteristic function c(u) = E e^(iuZ) about
// the mean, a period T beyond which the mass is below double precision, and w = 2 pi / T,
//
//     p(z) = 1/T (1 + 2 sum of c(mw) cos(mwz)),
//     F(z) = 1/2 + z/T + 1/pi sum of c(mw) sin(mwz) / m,
//
// and likewise E|Z - z|, whose constant follows from E|Z - z| = -z at the left end. A box of half
// width h has the factor sin(hu)/hu. With s_m = sin(ma)/a and d_m = s_m - s_(m-1) the recurrence d
// -= 4 sin^2(a/2) s, s += d (Reinsch) has no cancellation for narrow boxes, and is run for all
// boxes side by side: one sine for each box, whatever the number of coefficients. The law is
// strictly sub-Gaussian: e^(-z^2/2v) bounds both tails, so that 8.6 standard deviations on both
// sides leave 1e-16.
//
// In the tails the series has an absolute error, and a log density needs a relative one: p(z) =
// e^(K(t) - tz) p_t(z) with the tilted law at the saddlepoint K'(t) = z, whose density near its
// mean is again a Fourier series. Without a Gaussian the ends of the support are near, and the
// certified law is used.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "bnn/numeric/box_cumulant.h"
#include "bnn/predictive/methods/fourier_sum.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest = 3e-17;  // coefficients below count as 0
constexpr std::size_t short_series = 96;

class BoxSeries final : public Method {
 public:
  BoxSeries(const LawSummary& summary, const BoxesAndGaussian& sum, FallbackPointer certified,
            double period, std::size_t length)
      : Method(summary),
        sum_(sum),
        certified_(std::move(certified)),
        period_(period),
        frequency_(2 * pi / period) {
    make_coefficients(length);
  }

  double log_density(double y) const override {
    const double x = y - summary_.mean;
    if (std::abs(x) < period_ / 2) {
      const double density = series_density(x);
      if (density * std::sqrt(summary_.variance) > relative_limit) return std::log(density);
    }
    return tilted_log_density(std::abs(x));
  }

  double rough_density(double y) const override {
    const double x = y - summary_.mean;
    return std::abs(x) < period_ / 2 ? std::max(0.0, series_density(x)) : 0;
  }

  double cdf(double y) const override {
    const double x = y - summary_.mean, left = -period_ / 2;
    if (x <= left) return 0;
    if (x >= left + period_) return 1;
    const double sum =
        fourier_sum(coefficients_.size(), frequency_ * x, [&](std::size_t m, double, double sine) {
          return coefficients_[m] * sine / static_cast<double>(m + 1);
        });
    return std::clamp(offset_ + x / period_ + sum / pi, 0.0, 1.0);
  }

  double distance(double y) const override {
    const double x = y - summary_.mean, left = -period_ / 2;
    if (x <= left || x >= left + period_) return std::abs(x);
    const double sum = fourier_sum(coefficients_.size(), frequency_ * x,
                                   [&](std::size_t m, double cosine, double) {
                                     const auto order = static_cast<double>(m + 1);
                                     return coefficients_[m] * cosine / (order * order);
                                   });
    return distance_ + x * x / period_ + (2 * offset_ - 1) * x - 2 / pi * sum / frequency_;
  }

 private:
  double series_density(double x) const {
    const double sum = fourier_sum(
        coefficients_.size(), frequency_ * x,
        [&](std::size_t m, double cosine, double) { return coefficients_[m] * cosine; });
    return (1 + 2 * sum) / period_;
  }

  void make_coefficients(std::size_t length) {
    const std::size_t boxes = sum_.half_widths.size();
    const std::size_t slots = (boxes + lanes - 1) / lanes * lanes;
    thread_local std::vector<double> storage;
    storage.resize(3 * slots);
    double* const sines = storage.data();
    double* const steps = sines + slots;
    double* const turns = steps + slots;
    for (std::size_t i = 0; i < slots; ++i) {
      const double a = i < boxes ? sum_.half_widths[i] * frequency_ : 0;
      const double sine = std::sin(a / 2);
      // A slot that is left over has the factor m / m.
      sines[i] = steps[i] = a > 0 ? 2 * sine * std::cos(a / 2) / a : 1;
      turns[i] = 4 * sine * sine;
    }
    coefficients_.resize(length);
    const double decay = std::exp(-sum_.gaussian * sum_.gaussian * frequency_ * frequency_ / 2);
    double gauss = 1, ratio = decay;
    for (std::size_t m = 1; m <= length; ++m) {
      gauss *= ratio;
      ratio *= decay * decay;
      const double reciprocal = 1 / static_cast<double>(m);
      double products[lanes];
      std::fill_n(products, lanes, 1.0);
      for (std::size_t block = 0; block < slots; block += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t i = block + lane;
          products[lane] *= sines[i] * reciprocal;
          steps[i] -= turns[i] * sines[i];
          sines[i] += steps[i];
        }
      double product = gauss;
      for (const double factor : products) product *= factor;
      coefficients_[m - 1] = product;
    }

    // F = 1/2 in the middle, and E|Z + T/2| = T/2.
    offset_ = 0.5;
    distance_ = period_ / 4;
    for (std::size_t m = 1; m <= length; ++m) {
      const auto order = static_cast<double>(m);
      distance_ +=
          2 / pi * coefficients_[m - 1] * (m % 2 == 0 ? 1 : -1) / (order * order * frequency_);
    }
  }

  /// log p(x) for x >= 0 by tilting.
  double tilted_log_density(double x) const {
    if (sum_.gaussian == 0)
      return x >= sum_.reach(0) ? -infinity : certified_->log_density(summary_.mean + x);
    // K(t) = sum of log(sinh(ht) / ht) + g^2 t^2 / 2 and its derivatives.
    const auto cumulant = [&](double t, double& value, double& first, double& second) {
      value = sum_.gaussian * sum_.gaussian * t * t / 2;
      first = sum_.gaussian * sum_.gaussian * t;
      second = sum_.gaussian * sum_.gaussian;
      for (const double half : sum_.half_widths) {
        double box_value = 0, box_first = 0, box_second = 0;
        box_cumulant(half, t, box_value, box_first, box_second);
        value += box_value;
        first += box_first;
        second += box_second;
      }
    };
    // K' is concave on t >= 0 and at most min(v t, g^2 t + reach): Newton's steps from the right
    // end of what that leaves, kept between bounds. Any tilt near the saddlepoint will do.
    double least = x / summary_.variance, most = x / (sum_.gaussian * sum_.gaussian);
    double t = least, value = 0, first = 0, second = 0;
    for (int step = 0; step < 200; ++step) {
      cumulant(t, value, first, second);
      if (std::abs(x - first) < 0.05 * std::sqrt(second)) break;
      (first < x ? least : most) = t;
      const double next = t + (x - first) / second;
      t = next > least && next < most ? next : (least + most) / 2;
    }
    const double spread = std::sqrt(second), period = 40 * spread, frequency = 2 * pi / period;
    const double length = std::ceil(8.5 / sum_.gaussian / frequency);
    if (length > 4096) return certified_->log_density(summary_.mean + x);
    // M(t + iu) / M(t) e^(-iux); a box has sinh(a + ib) / sinh(a) = cos b + i coth(a) sin b, times
    // t / (t + iu).
    const std::size_t boxes = sum_.half_widths.size(), slots = (boxes + lanes - 1) / lanes * lanes;
    std::vector<double> storage(5 * slots);
    double* const cosines = storage.data();
    double* const sines = cosines + slots;
    double* const turn_cosines = sines + slots;
    double* const turn_sines = turn_cosines + slots;
    double* const coths = turn_sines + slots;
    for (std::size_t i = 0; i < slots; ++i) {
      const double half = i < boxes ? sum_.half_widths[i] : 0, a = half * t;
      cosines[i] = turn_cosines[i] = std::cos(half * frequency);
      sines[i] = turn_sines[i] = std::sin(half * frequency);
      coths[i] = i >= boxes ? 0 : a < 1e-8 ? 1 / a : (1 + std::exp(-2 * a)) / -std::expm1(-2 * a);
    }
    double sum = 0;
    for (double m = 1; m <= length; ++m) {
      const double u = frequency * m;
      double reals[lanes], imaginaries[lanes]{};
      std::fill_n(reals, lanes, 1.0);
      for (std::size_t block = 0; block < slots; block += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t i = block + lane;
          multiply(reals[lane], imaginaries[lane], cosines[i], sines[i] * coths[i]);
          multiply(cosines[i], sines[i], turn_cosines[i], turn_sines[i]);
        }
      Complex factor = std::polar(std::exp(-sum_.gaussian * sum_.gaussian * u * u / 2),
                                  u * (sum_.gaussian * sum_.gaussian * t - x));
      for (std::size_t lane = 0; lane < lanes; ++lane)
        factor *= Complex(reals[lane], imaginaries[lane]);
      Complex turn = t / Complex(t, u);
      for (std::size_t n = boxes; n > 0; n /= 2, turn *= turn)
        if (n % 2 == 1) factor *= turn;
      sum += factor.real();
      if (std::norm(factor) < 1e-30) break;
    }
    const double density = (1 + 2 * sum) / period;
    if (!(density * spread > 1e-3)) return certified_->log_density(summary_.mean + x);
    return value - t * x + std::log(density);
  }

  BoxesAndGaussian sum_;
  FallbackPointer certified_;
  double period_;
  double frequency_;
  std::vector<double> coefficients_;  // from 1 on, about the mean
  double offset_ = 0;                 // makes the distribution function 0 at the left end
  double distance_ = 0;               // makes E|Y - y| right at the left end
};

}  // namespace

MethodPointer try_box_series(const LawSummary& summary, const BoxesAndGaussian& sum,
                             const FallbackPointer& certified) {
  const std::size_t boxes = sum.half_widths.size();
  const double spread = std::sqrt(summary.variance);
  const double reach = sum.reach(negligible * sum.gaussian);
  const double period = 2 * std::min(negligible * spread, reach * (1 + 1e-12));
  const double frequency = 2 * pi / period;

  // How many coefficients: |sin a / a| is at most e^(-a^2/6) up to pi, and 1/a.
  const std::size_t limit = boxes <= most_spline_boxes ? short_series : long_series;
  std::size_t length = static_cast<std::size_t>(8.5 / spread / frequency) + 2;
  for (;; length += length / 4) {
    if (length > limit) return nullptr;
    const double u = frequency * static_cast<double>(length);
    double squares = 0, far = 1;
    for (const double half : sum.half_widths) {
      const double a = half * u;
      if (a < 3)
        squares += a * a;
      else
        far *= a;
    }
    if (std::exp(-squares / 6 - sum.gaussian * sum.gaussian * u * u / 2) < smallest * far) break;
  }
  return std::make_shared<const BoxSeries>(summary, sum, certified, period, length);
}

}  // namespace wmi::bnn
