// Hidden units with unknown incoming weights, boxes and a Gaussian by a Fourier series, as
// box_series.cpp has it for symmetric laws. A unit's characteristic function is a sum over the
// nodes of its law (unit_nodes.h). Units have bounded support, which with the Gaussian's gives the
// period. In the tails the density is a sum over the nodes of all units together, which has
// positive terms only; units under a joint normal law have one in closed form (joint_units.h).

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "bnn/numeric/box_spline.h"
#include "bnn/predictive/methods/fourier_sum.h"
#include "bnn/predictive/methods/joint_units.h"
#include "bnn/predictive/methods/method.h"
#include "bnn/predictive/methods/unit_nodes.h"

namespace wmi::bnn {
namespace {

using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

class UnitSeries final : public Method {
 public:
  UnitSeries(const LawSummary& summary, const BoxesAndGaussian& sum, FallbackPointer certified,
             const std::vector<Nodes>& units, std::size_t length)
      : Method(summary),
        sum_(sum),
        certified_(std::move(certified)),
        period_(summary.high - summary.low),
        frequency_(2 * pi / period_) {
    make_coefficients(units, length);
  }

  double log_density(double y) const override {
    if (y > summary_.low && y < summary_.high) {
      const double density = series_density(y - summary_.mean);
      if (density * std::sqrt(summary_.variance) > relative_limit) return std::log(density);
    }
    return tail_log_density(y);
  }

  double rough_density(double y) const override {
    const bool inside = y > summary_.low && y < summary_.high;
    return inside ? std::max(0.0, series_density(y - summary_.mean)) : 0;
  }

  double cdf(double y) const override {
    const double x = y - summary_.mean, left = summary_.low - summary_.mean;
    if (x <= left) return 0;
    if (x >= left + period_) return 1;
    const double sum =
        fourier_sum(real_.size(), frequency_ * x, [&](std::size_t m, double cosine, double sine) {
          return (real_[m] * sine - imaginary_[m] * cosine) / static_cast<double>(m + 1);
        });
    return std::clamp(offset_ + x / period_ + sum / pi, 0.0, 1.0);
  }

  double distance(double y) const override {
    const double x = y - summary_.mean, left = summary_.low - summary_.mean;
    if (x <= left || x >= left + period_) return std::abs(x);
    const double sum =
        fourier_sum(real_.size(), frequency_ * x, [&](std::size_t m, double cosine, double sine) {
          const auto order = static_cast<double>(m + 1);
          return (real_[m] * cosine + imaginary_[m] * sine) / (order * order);
        });
    return distance_ + x * x / period_ + (2 * offset_ - 1) * x - 2 / pi * sum / frequency_;
  }

 private:
  double series_density(double x) const {
    const double sum =
        fourier_sum(real_.size(), frequency_ * x, [&](std::size_t m, double cosine, double sine) {
          return real_[m] * cosine + imaginary_[m] * sine;
        });
    return (1 + 2 * sum) / period_;
  }

  void make_coefficients(const std::vector<Nodes>& units, std::size_t length) {
    std::size_t total = 0;
    for (const Nodes& nodes : units) total += nodes.points.size();
    real_.assign(length, 0);
    imaginary_.assign(length, 0);
    for (std::size_t m = 0; m < length; ++m) {
      const double u = frequency_ * static_cast<double>(m + 1);
      real_[m] = std::exp(-sum_.gaussian * sum_.gaussian * u * u / 2);
      for (const double half : sum_.half_widths) real_[m] *= std::sin(half * u) / (half * u);
    }
    std::vector<double> storage(4 * total + 4 * lanes);
    for (const Nodes& nodes : units) {
      const std::size_t count = (nodes.points.size() + lanes - 1) / lanes * lanes;
      double* const cosines = storage.data();  // times the masses
      double* const sines = cosines + count;
      double* const turn_cosines = sines + count;
      double* const turn_sines = turn_cosines + count;
      for (std::size_t i = 0; i < count; ++i) {
        const bool there = i < nodes.points.size();
        cosines[i] = there ? nodes.masses[i] : 0;
        sines[i] = 0;
        const double angle = there ? nodes.points[i] * frequency_ : 0;
        turn_cosines[i] = std::cos(angle);
        turn_sines[i] = std::sin(angle);
      }
      for (std::size_t m = 0; m < length; ++m) {
        double reals[lanes]{}, imaginaries[lanes]{};
        for (std::size_t block = 0; block < count; block += lanes)
          for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = block + lane;
            multiply(cosines[i], sines[i], turn_cosines[i], turn_sines[i]);
            reals[lane] += cosines[i];
            imaginaries[lane] += sines[i];
          }
        multiply(real_[m], imaginary_[m], lane_sum(reals), lane_sum(imaginaries));
      }
    }
    const double left = summary_.low - summary_.mean;
    double below = 0, beside = 0;
    const Complex turn = std::polar(1.0, frequency_ * left);
    Complex phase = turn;
    for (std::size_t m = 0; m < length; ++m, phase *= turn) {
      const auto order = static_cast<double>(m + 1);
      const double sine = phase.imag(), cosine = phase.real();
      below += (real_[m] * sine - imaginary_[m] * cosine) / order;
      beside += (real_[m] * cosine + imaginary_[m] * sine) / (order * order);
    }
    offset_ = -left / period_ - below / pi;
    distance_ =
        -left - left * left / period_ - (2 * offset_ - 1) * left + 2 / pi * beside / frequency_;
  }

  /// log p(y) as a sum over the nodes of all units together, fine enough for the slope of the
  /// Gaussian there: all terms are positive.
  double tail_log_density(double y) const {
    const OutputLaw<double>& output_law = certified_->output_law();
    if (!sum_.half_widths.empty()) return certified_->log_density(y);
    if (!output_law.joint.empty())  // by itself: there are no other units
      return wmi::bnn::log_density(output_law.joint, sum_.gaussian, y - output_law.constant);
    const double farthest = std::max(std::abs(y - summary_.low), std::abs(y - summary_.high));
    const double steepness =
        std::max(8.5 / sum_.gaussian, farthest / (sum_.gaussian * sum_.gaussian));
    std::vector<double> points{output_law.constant}, masses{1};
    for (const Unit<double>& unit : output_law.units) {
      Nodes nodes;
      if (!make_nodes(unit, steepness, nodes, 100'000) ||
          nodes.points.size() * points.size() > 100'000)
        return certified_->log_density(y);
      std::vector<double> all_points, all_masses;
      for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < nodes.points.size(); ++j) {
          all_points.push_back(points[i] + nodes.points[j]);
          all_masses.push_back(masses[i] * nodes.masses[j]);
        }
      points = std::move(all_points);
      masses = std::move(all_masses);
    }
    double most = -infinity, sum = 0;
    for (double& point : points) {
      point = normal_log_density((y - point) / sum_.gaussian);
      most = std::max(most, point);
    }
    for (std::size_t i = 0; i < points.size(); ++i) sum += masses[i] * std::exp(points[i] - most);
    return most + std::log(sum / sum_.gaussian);
  }

  BoxesAndGaussian sum_;
  FallbackPointer certified_;
  double period_;
  double frequency_;
  std::vector<double> real_, imaginary_;  // the coefficients from 1 on, about the mean
  double offset_ = 0;                     // makes the distribution function 0 at the left end
  double distance_ = 0;                   // makes E|Y - y| right at the left end
};

}  // namespace

MethodPointer make_units(const LawSummary& before, const BoxesAndGaussian& sum,
                         const FallbackPointer& certified) {
  LawSummary summary = before;
  const double noise_variance = summary.variance - summary.inner_variance;
  const double reach = sum.reach(negligible * sum.gaussian);
  const double resolution = sum.gaussian > 0 ? 8.5 / sum.gaussian : 0;
  std::vector<Nodes> all;
  double low = 0, high = 0;
  bool fits = sum.gaussian > 0;
  const auto add = [&](Nodes nodes) {
    double mass = 0, first = 0, second = 0;
    for (std::size_t i = 0; i < nodes.points.size(); ++i) {
      mass += nodes.masses[i];
      first += nodes.masses[i] * nodes.points[i];
    }
    fits = std::abs(mass - 1) < 1e-9;
    first /= mass;
    for (std::size_t i = 0; i < nodes.points.size(); ++i) {
      nodes.masses[i] /= mass;
      nodes.points[i] -= first;
      second += nodes.masses[i] * nodes.points[i] * nodes.points[i];
    }
    summary.mean += first;
    summary.variance += second;
    summary.inner_variance += second;
    const auto [least, most] = std::ranges::minmax(nodes.points);
    // Nodes lie inside the pieces; their ends are as far again from the last ones, at most.
    low += least;
    high += most;
    if (nodes.points.size() > 1) all.push_back(std::move(nodes));
  };
  for (const Unit<double>& unit : certified->output_law().units) {
    Nodes nodes;
    if (fits && !make_nodes(unit, resolution, nodes, 1024)) fits = false;
    if (!fits) break;
    add(std::move(nodes));
  }
  if (const JointUnits<double>& joint = certified->output_law().joint; fits && !joint.empty()) {
    Nodes nodes;
    fits = make_nodes(joint, resolution, nodes);
    if (fits) add(std::move(nodes));
  }
  if (!fits) {
    const CertifiedLaw& law = certified->law();
    summary.mean = law.mean().midpoint().get_d();
    summary.variance = law.variance().midpoint().get_d();
    summary.inner_variance = std::max(0.0, summary.variance - noise_variance);
    const double spread = std::sqrt(summary.variance);
    summary.grain = sum.gaussian > 0 ? sum.gaussian : spread / 64;
    summary.low = summary.mean - 40 * spread;
    summary.high = summary.mean + 40 * spread;
    return make_certified(summary, certified);
  }
  summary.grain = sum.gaussian;
  if (all.empty() && sum.half_widths.empty()) {  // all units are numbers
    summary.low = summary.mean - negligible * sum.gaussian;
    summary.high = summary.mean + negligible * sum.gaussian;
    return make_normal(summary, sum.gaussian);
  }
  const double margin = 0.01 * (high - low) + reach;
  summary.low = summary.mean + low - margin;
  summary.high = summary.mean + high + margin;
  const double frequency = 2 * pi / (summary.high - summary.low);
  const auto length = static_cast<std::size_t>(std::ceil(resolution / frequency));
  if (length > long_series) return make_certified(summary, certified);
  return std::make_shared<const UnitSeries>(summary, sum, certified, all, length);
}

}  // namespace wmi::bnn
