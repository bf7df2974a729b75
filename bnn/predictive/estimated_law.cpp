// Given the input, the units are independent, so that the characteristic function of f is a product
// of
//
//     phi(u) = E[e^(iucR) sinc(huR)]   for V uniform on [c - h, c + h] and R = max(A, slope * A).
//
// The law of R is a discrete one: Gauss-Legendre nodes on the law of A, a sum of boxes (box_sum.h,
// unit_quadrature.h). What the masses miss of 1 checks density and quadrature, and is the estimate
// of their error. The period of the outer Fourier series comes from Chernoff's bound on both tails,
// e^-37 (aliasing), its length from the noise, e^(-g^2 u^2 / 2) = 2e-16 (truncation). A density
// below 1e-6 of the maximum is that of the tilted law at the saddlepoint: positive masses keep it
// near that of a law whose distribution function is within the estimate. Its logarithm has no
// estimate of its own.

#include "bnn/predictive/estimated_law.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "bnn/numeric/box_cumulant.h"
#include "bnn/predictive/methods/boxes.h"
#include "bnn/predictive/methods/fourier_sum.h"
#include "bnn/predictive/unit_quadrature.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double tail = 37;  // e^-37 of the mass may lie outside of a period

/// Appends the half widths of the terms' boxes; returns the sum of their centres.
double split_boxes(const std::vector<WeightTerm<double>>& terms, std::vector<double>& half_widths) {
  double centre = 0, variance = 0;
  add_boxes(terms, half_widths, centre, variance);
  return centre;
}

/// sinh(w) / w, times e^(-|Re w|).
Complex shrunk_box(Complex w) {
  if (std::norm(w) < 1e-4) {
    const Complex square = w * w;
    return (1.0 + square / 6.0 * (1.0 + square / 20.0 * (1.0 + square / 42.0))) *
           std::exp(-std::abs(w.real()));
  }
  const double shift = std::abs(w.real());
  return (std::exp(w - shift) - std::exp(-w - shift)) / (2.0 * w);
}

}  // namespace

EstimatedLaw::EstimatedLaw(const OutputLaw<double>& output_law, const OutcomeNoise& noise)
    : noise_(output_law.noise) {
  if (noise.kind != OutcomeNoise::Kind::gaussian)
    throw Error(
        "partition 'all' is for a gaussian likelihood; take 'last' or 'second:K' for others");
  gaussian_ = std::hypot(output_law.deviation, output_law.noise);
  if (!(gaussian_ > 0)) throw Error("partition 'all' needs noise of the outcome");
  mean_ = output_law.constant + split_boxes(output_law.terms, half_widths_);
  for (const Unit<double>& unit : output_law.units) {
    const bool known = std::ranges::all_of(unit.terms, [](const WeightTerm<double>& term) {
      return term.coefficient == 0 || term.from == term.to;
    });
    if (!known && std::abs(unit.factor) + unit.half_width > 0) {
      units_.push_back(unit);
      continue;
    }
    std::vector<double> none;
    const double a = unit.constant + split_boxes(unit.terms, none);
    const double value = std::max(a, unit.slope * a);
    mean_ += unit.factor * value;
    if (unit.half_width * std::abs(value) > 0)
      half_widths_.push_back(unit.half_width * std::abs(value));
  }
  inner_variance_ = output_law.deviation * output_law.deviation;
  for (const double half : half_widths_) inner_variance_ += half * half / 3;
  error_ = make_factors(truncation / gaussian_, factors_);
  for (const Factor& factor : factors_) {
    double first = 0, second = 0;
    for (std::size_t i = 0; i < factor.points.size(); ++i) {
      first += factor.masses[i] * factor.points[i];
      second += factor.masses[i] * factor.points[i] * factor.points[i];
    }
    const double c = factor.centre, h = factor.half_width;
    mean_ += factor.mean;
    // E V^2 E R^2 - (E V E R)^2, as a sum of positive terms.
    inner_variance_ += c * c * std::max(0.0, second - first * first) + h * h / 3 * second;
  }
  make_series(factors_);
}

double EstimatedLaw::make_factors(double highest, std::vector<Factor>& factors) const {
  double error = 0;
  factors.clear();
  for (const Unit<double>& unit : units_) {
    Factor factor{unit.factor, unit.half_width, 0, {}, {}};
    error += make_quadrature(unit, highest, factor.points, factor.masses);
    for (std::size_t i = 0; i < factor.points.size(); ++i)
      factor.mean += factor.centre * factor.masses[i] * factor.points[i];
    factors.push_back(std::move(factor));
  }
  return error;
}

EstimatedLaw::Cumulant EstimatedLaw::cumulant(double t, const std::vector<Factor>& factors) const {
  const double variance = gaussian_ * gaussian_;
  Cumulant result{variance * t * t / 2, variance * t, variance};
  double value = 0, first = 0, second = 0;
  for (const double half : half_widths_) {
    box_cumulant(half, t, value, first, second);
    result.value += value;
    result.first += first;
    result.second += second;
  }
  struct NodeTerm {
    double exponent, first, second;
  };
  std::vector<NodeTerm> terms;
  for (const Factor& factor : factors) {
    double most = -std::numeric_limits<double>::infinity();
    terms.resize(factor.points.size());
    for (std::size_t i = 0; i < terms.size(); ++i) {
      box_cumulant(factor.half_width * std::abs(factor.points[i]), t, value, terms[i].first,
                   terms[i].second);
      terms[i].exponent = t * factor.centre * factor.points[i] + value;
      most = std::max(most, terms[i].exponent);
    }
    double mass = 0, mean = 0, square = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const double share = factor.masses[i] * std::exp(terms[i].exponent - most);
      const double point = factor.centre * factor.points[i] + terms[i].first - factor.mean;
      mass += share;
      mean += share * point;
      square += share * (point * point + terms[i].second);
    }
    mean /= mass;
    result.value += most + std::log(mass) - t * factor.mean;
    result.first += mean;
    result.second += std::max(0.0, square / mass - mean * mean);
  }
  return result;
}

void EstimatedLaw::make_series(const std::vector<Factor>& factors) {
  const double spread = std::sqrt(variance());
  double ends[2] = {0, 0};
  for (const int side : {0, 1}) {
    double least = std::numeric_limits<double>::infinity();
    for (const double size : {4.0, 6.0, 8.0, 11.0}) {
      const double t = (side == 0 ? -size : size) / spread;
      least = std::min(least, (cumulant(t, factors).value + tail) / std::abs(t));
    }
    ends[side] = least;
  }
  left_ = -ends[0];
  period_ = ends[0] + ends[1];
  frequency_ = 2 * pi / period_;
  const auto length = static_cast<std::size_t>(std::ceil(truncation / gaussian_ / frequency_));
  if (length > most_nodes)
    throw GaveUp("partition 'all': the noise is too small against what the weights leave open");
  real_.assign(length, 0);
  imaginary_.assign(length, 0);
  for (std::size_t m = 0; m < length; ++m) {
    const double u = frequency_ * static_cast<double>(m + 1);
    real_[m] = std::exp(-gaussian_ * gaussian_ * u * u / 2);
    for (const double half : half_widths_) real_[m] *= std::sin(half * u) / (half * u);
  }
  std::vector<double> storage;
  for (const Factor& factor : factors) {
    const std::size_t count = (factor.points.size() + lanes - 1) / lanes * lanes;
    storage.assign(7 * count, 0);
    double* const cosines = storage.data();  // times the masses
    double* const sines = cosines + count;
    double* const turn_cosines = sines + count;
    double* const turn_sines = turn_cosines + count;
    // sin(ma) / a of the boxes, by Reinsch's recurrence.
    double* const boxes = turn_sines + count;
    double* const steps = boxes + count;
    double* const turns = steps + count;
    for (std::size_t i = 0; i < factor.points.size(); ++i) {
      cosines[i] = factor.masses[i];
      const double angle = (factor.centre * factor.points[i] - factor.mean) * frequency_;
      turn_cosines[i] = std::cos(angle);
      turn_sines[i] = std::sin(angle);
      const double a = factor.half_width * std::abs(factor.points[i]) * frequency_;
      const double sine = std::sin(a / 2);
      boxes[i] = steps[i] = a > 0 ? 2 * sine * std::cos(a / 2) / a : 1;
      turns[i] = 4 * sine * sine;
    }
    for (std::size_t m = 0; m < length; ++m) {
      double reals[lanes]{}, imaginaries[lanes]{};
      for (std::size_t block = 0; block < count; block += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t i = block + lane;
          multiply(cosines[i], sines[i], turn_cosines[i], turn_sines[i]);
          reals[lane] += cosines[i] * boxes[i];
          imaginaries[lane] += sines[i] * boxes[i];
          steps[i] -= turns[i] * boxes[i];
          boxes[i] += steps[i];
        }
      multiply(real_[m], imaginary_[m], lane_sum(reals) / static_cast<double>(m + 1),
               lane_sum(imaginaries) / static_cast<double>(m + 1));
    }
  }
  // F = 0 and E|Z - z| = -z at the left end.
  double below = 0, beside = 0;
  for (std::size_t m = 0; m < length; ++m) {
    const auto order = static_cast<double>(m + 1);
    const Complex phase = std::polar(1.0, order * frequency_ * left_);
    below += (real_[m] * phase.imag() - imaginary_[m] * phase.real()) / order;
    beside += (real_[m] * phase.real() + imaginary_[m] * phase.imag()) / (order * order);
  }
  offset_ = -left_ / period_ - below / pi;
  distance_ =
      -left_ - left_ * left_ / period_ - (2 * offset_ - 1) * left_ + 2 / pi * beside / frequency_;
  // A part of the units' masses is wrong by so much, at every frequency; sum of 1/m over them.
  error_ = (error_ + 1e-15 * static_cast<double>(factors.size() + 1)) *
           (1 + std::log(static_cast<double>(length)));
}

double EstimatedLaw::log_density(double y) const {
  const double x = y - mean_;
  if (x > left_ && x < left_ + period_) {
    double sum = 0;
    const Complex step = std::polar(1.0, frequency_ * x);
    Complex phase = step;
    for (std::size_t m = 0; m < real_.size(); ++m, phase *= step)
      sum += real_[m] * phase.real() + imaginary_[m] * phase.imag();
    const double density = (1 + 2 * sum) / period_;
    if (density * std::sqrt(variance()) > relative_limit) return std::log(density);
  }
  return tilted_log_density(x);
}

double EstimatedLaw::tilted_log_density(double x) const {
  // K' grows at least like g^2 t: the saddlepoint lies between 0 and x / g^2.
  const auto saddlepoint = [&](const std::vector<Factor>& factors, Cumulant& found) {
    double least = std::min(0.0, x / (gaussian_ * gaussian_));
    double most = std::max(0.0, x / (gaussian_ * gaussian_));
    double t = std::clamp(x / variance(), least, most);
    for (int step = 0; step < 200; ++step) {
      found = cumulant(t, factors);
      if (std::abs(x - found.first) < 0.05 * std::sqrt(found.second)) break;
      (found.first < x ? least : most) = t;
      const double next = t + (x - found.first) / found.second;
      t = next > least && next < most ? next : (least + most) / 2;
    }
    return t;
  };
  Cumulant found;
  double t = saddlepoint(factors_, found);
  std::vector<Factor> finer;
  if (std::abs(t) > truncation / gaussian_) {
    make_factors(2 * std::abs(t), finer);
    t = saddlepoint(finer, found);
  }
  const std::vector<Factor>& factors = finer.empty() ? factors_ : finer;
  const double spread = std::sqrt(found.second), period = 40 * spread;
  const double frequency = 2 * pi / period;
  const double length = std::ceil(truncation / gaussian_ / frequency);
  const double variance = gaussian_ * gaussian_;
  // The share of each point of a unit in E e^(tVR), without the box.
  std::vector<std::vector<double>> shares;
  std::vector<double> totals;
  for (const Factor& factor : factors) {
    std::vector<double> exponents;
    double most = -std::numeric_limits<double>::infinity();
    for (const double point : factor.points) {
      exponents.push_back(t * factor.centre * point +
                          std::abs(t) * factor.half_width * std::abs(point));
      most = std::max(most, exponents.back());
    }
    double total = 0;
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      exponents[i] = factor.masses[i] * std::exp(exponents[i] - most);
      total += exponents[i] * shrunk_box({t * factor.half_width * factor.points[i], 0}).real();
    }
    shares.push_back(std::move(exponents));
    totals.push_back(total);
  }
  double sum = 0;
  for (double m = 1; m <= length; ++m) {
    const double u = frequency * m;
    const Complex z(t, u);
    Complex product = std::polar(std::exp(-variance * u * u / 2), u * (variance * t - x));
    for (const double half : half_widths_)
      product *= shrunk_box(z * half) / shrunk_box({t * half, 0});
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const Factor& factor = factors[j];
      Complex part = 0;
      for (std::size_t i = 0; i < factor.points.size(); ++i) {
        if (shares[j][i] < 1e-20 * totals[j]) continue;
        part += shares[j][i] * shrunk_box(z * (factor.half_width * factor.points[i])) *
                std::polar(1.0, u * (factor.centre * factor.points[i] - factor.mean));
      }
      product *= part / totals[j];
    }
    sum += product.real();
    if (std::norm(product) < 1e-32 && variance * u * u > 1) break;
  }
  const double density = std::max((1 + 2 * sum) / period, 1e-13 / spread);
  return found.value - t * x + std::log(density);
}

double EstimatedLaw::cdf(double y) const {
  const double x = y - mean_;
  if (x <= left_) return 0;
  if (x >= left_ + period_) return 1;
  double sum = 0;
  const Complex step = std::polar(1.0, frequency_ * x);
  Complex phase = step;
  for (std::size_t m = 0; m < real_.size(); ++m, phase *= step)
    sum += (real_[m] * phase.imag() - imaginary_[m] * phase.real()) / static_cast<double>(m + 1);
  return std::clamp(offset_ + x / period_ + sum / pi, 0.0, 1.0);
}

double EstimatedLaw::distance(double y) const {
  const double x = y - mean_;
  if (x <= left_ || x >= left_ + period_) return std::abs(x);
  double sum = 0;
  const Complex step = std::polar(1.0, frequency_ * x);
  Complex phase = step;
  for (std::size_t m = 0; m < real_.size(); ++m, phase *= step) {
    const auto order = static_cast<double>(m + 1);
    sum += (real_[m] * phase.real() + imaginary_[m] * phase.imag()) / (order * order);
  }
  return distance_ + x * x / period_ + (2 * offset_ - 1) * x - 2 / pi * sum / frequency_;
}

}  // namespace wmi::bnn
