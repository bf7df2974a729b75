// The law of constant + boxes + Gaussian + units, in doubles, by the first of these that fits.
//
//   - No boxes and no units: the normal law.
//   - A Fourier series. With the characteristic function c(u) = E e^(iuZ) about the mean, a period
//   T
//     beyond which there is no mass worth a double, and w = 2 pi / T,
//
//         p(z) = 1/T (1 + 2 sum of Re(c(mw) e^(-imwz))),
//         F(z) = C + z/T + 1/pi sum of Im(..)/m,   E|Z - z| = E + (2C - 1) z + z^2/T - ...
//
//     term by term; C and E follow from F = 0 and E|Z - z| = -z at the left end. A box of half
//     width h has the factor sin(hu)/hu. With s_m = sin(ma)/a and d_m = s_m - s_(m-1) the
//     recurrence d -= 4 sin^2(a/2) s, s += d (Reinsch) has no cancellation for narrow boxes, and is
//     run for all boxes side by side: one sine for each box, whatever the number of coefficients.
//     The law of boxes and a Gaussian is strictly sub-Gaussian: e^(-z^2/2v) bounds both tails, so
//     that 8.6 standard deviations on both sides leave 1e-16. Units have bounded support.
//   - Few boxes that are wide against the Gaussian, where the series would be long: the n-fold
//     difference over the corners of the box of i_k(z) = E[(z - G)_+^k] / k!, taken in the lower
//     tail, where every i_k is computed without cancellation. What cancels between corners is
//     seen, and then certified.
//   - In the tails the series has an absolute error, and a log density needs a relative one:
//     p(z) = e^(K(t) - tz) p_t(z) with the tilted law at the saddlepoint K'(t) = z, whose density
//     near its mean is again a Fourier series. Without a Gaussian the ends of the support are near,
//     and the certified law is asked.
//
// What is unknown in two layers is left to `EstimatedLaw`.
//
// A unit's characteristic function is a sum over Gauss-Legendre nodes of the polynomial pieces of
// its law, so that any unit is taken alike.

#include "bnn/predictive/fast_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <span>

#include "bnn/numeric/box_spline.h"
#include "bnn/numeric/gauss_legendre.h"
#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/estimated_law.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double negligible = 8.6;       // standard deviations
constexpr double smallest = 3e-17;       // coefficients below are none
constexpr double relative_limit = 1e-6;  // a density below this part of the maximum is a tail
constexpr std::size_t lanes = 8;
constexpr std::size_t short_series = 96;
constexpr std::size_t long_series = 768;
constexpr std::size_t most_corner_boxes = 4;

/// Half widths of the boxes that terms are made of.
void add_boxes(const std::vector<WeightTerm<double>>& terms, std::vector<double>& half_widths,
               double& centre, double& variance) {
  for (const WeightTerm<double>& term : terms) {
    centre += term.coefficient * (term.from + (term.to - term.from) / 2);
    const double half = std::abs(term.coefficient) * (term.to - term.from) /
                        (2.0 * static_cast<double>(term.order));
    if (!(half > 0)) continue;
    half_widths.insert(half_widths.end(), term.order, half);
    variance += static_cast<double>(term.order) * half * half / 3;
  }
}

OutputLaw<Rational> exact(const OutputLaw<double>& component) {
  const auto terms = [](const std::vector<WeightTerm<double>>& from) {
    std::vector<WeightTerm<Rational>> result;
    for (const WeightTerm<double>& term : from)
      result.push_back(
          {Rational(term.coefficient), Rational(term.from), Rational(term.to), term.order});
    return result;
  };
  OutputLaw<Rational> result{Rational(component.constant),
                             terms(component.terms),
                             component.deviation,
                             {},
                             component.noise};
  for (const Unit<double>& unit : component.units)
    result.units.push_back(
        {Rational(unit.factor), Rational(unit.slope), Rational(unit.constant), terms(unit.terms)});
  return result;
}

/// A unit's law as nodes: places and masses.
struct Nodes {
  std::vector<double> places;
  std::vector<double> masses;
};

/// The density of a sum of centred boxes, as `corners` has it, with the corners laid out once.
class BoxDensity {
 public:
  explicit BoxDensity(std::span<const double> half_widths)
      : count_(half_widths.size()), corners_(std::size_t{1} << count_) {
    for (std::size_t corner = 0; corner < corners_; ++corner) {
      signs_[corner] = 1;
      for (std::size_t i = 0; i < count_; ++i) {
        const bool below = corner >> i & 1;
        places_[corner] += below ? -half_widths[i] : half_widths[i];
        if (below) signs_[corner] = -signs_[corner];
      }
    }
    for (std::size_t i = 0; i < count_; ++i)
      scale_ /= 2 * half_widths[i] * static_cast<double>(std::max<std::size_t>(i, 1));
  }

  /// Where the polynomial pieces meet, in no order.
  std::span<const double> places() const { return {places_.data(), corners_}; }

  /// `size` is what the terms add up to without their signs.
  double at(double x, double& size) const {
    switch (count_) {
      case 1:
        return sum<0>(x, size);
      case 2:
        return sum<1>(x, size);
      case 3:
        return sum<2>(x, size);
      default:
        return sum<3>(x, size);
    }
  }

 private:
  template <int power>
  double sum(double x, double& size) const {
    double signed_sum = 0, unsigned_sum = 0;
    for (std::size_t corner = 0; corner < std::size_t{2} << power; ++corner) {
      const double above = x + places_[corner];
      double term = power == 0 ? (above > 0 ? 1 : 0) : std::max(above, 0.0);
      if constexpr (power >= 2) term *= power == 2 ? term : term * term;
      signed_sum += signs_[corner] * term;
      unsigned_sum += term;
    }
    size = unsigned_sum * scale_;
    return signed_sum * scale_;
  }

  std::size_t count_;
  std::size_t corners_;
  double scale_ = 1;  // one over the volume and the factorial of the power
  std::array<double, std::size_t{1} << most_corner_boxes> places_{};
  std::array<double, std::size_t{1} << most_corner_boxes> signs_{};
};

/// Nodes of Gauss and Legendre's rule that are enough for a cubic times e^(iux) (or, in tails,
/// e^(ux)) on an interval where ux changes by `phase`: errors below 1e-12 of the maximum.
struct Rule {
  explicit Rule(double phase) {
    const auto take = [&](const auto& rule) {
      nodes = rule.nodes;
      weights = rule.weights;
    };
    if (phase <= 0.75)
      take(GaussLegendre<6>::rule());
    else if (phase <= 2.5)
      take(GaussLegendre<8>::rule());
    else
      take(GaussLegendre<12>::rule());
  }
  static constexpr double most_phase = 10;
  std::span<const double> nodes;
  std::span<const double> weights;
};

/// Nothing when it has too many boxes or pieces.
bool make_nodes(const Unit<double>& unit, double highest, Nodes& nodes, std::size_t limit) {
  std::vector<double> half_widths;
  double centre = unit.constant, variance = 0;
  add_boxes(unit.terms, half_widths, centre, variance);
  const auto activated = [&](double a) { return unit.factor * std::max(a, unit.slope * a); };
  double reach = 0;
  for (const double half : half_widths) reach += half;
  // What is narrower than the rounding of the others is none.
  std::erase_if(half_widths, [&](double half) { return half < 1e-12 * reach; });
  if (half_widths.empty()) {
    nodes = {{activated(centre)}, {1.0}};
    return true;
  }
  const std::size_t count = half_widths.size();
  if (count > most_corner_boxes) return false;
  double size = 0;
  if (unit.slope == 0 && centre - reach < 0) {
    const double dead =
        centre + reach <= 0 ? 1 : corners(half_widths.data(), count, 0, 1, -centre, size);
    nodes.places.push_back(0);
    nodes.masses.push_back(dead);
    if (dead > 0 && size * 1e-15 > 1e-11) return false;
  }
  const BoxDensity density(half_widths);
  std::vector<double> knots;
  knots.reserve(density.places().size() + 1);
  for (const double place : density.places()) knots.push_back(centre + place);
  if (centre - reach < 0 && centre + reach > 0) knots.push_back(0);
  std::ranges::sort(knots);
  nodes.places.reserve(8 * knots.size());
  nodes.masses.reserve(8 * knots.size());
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double from = knots[i], to = knots[i + 1];
    if (!(to - from > 1e-14 * reach)) continue;
    const bool negative = (from + to) / 2 < 0;
    if (negative && unit.slope == 0) continue;
    const double steepness = std::abs(unit.factor) * (negative ? unit.slope : 1);
    const double phase = highest * steepness * (to - from);
    const double panels = std::max(1.0, std::ceil(phase / Rule::most_phase));
    if (!(panels * 12 + static_cast<double>(nodes.places.size()) < static_cast<double>(limit)))
      return false;
    const Rule rule(phase / panels);
    const double half = (to - from) / 2 / panels;
    for (double panel = 0; panel < panels; ++panel)
      for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
        const double a = from + half * (2 * panel + 1 + rule.nodes[k]);
        // In the nearer tail, where less cancels.
        const double value = density.at(-std::abs(a - centre), size);
        if (size * 1e-15 * reach > 1e-11) return false;
        nodes.places.push_back(activated(a));
        nodes.masses.push_back(half * rule.weights[k] * std::max(value, 0.0));
      }
  }
  return true;
}

}  // namespace

double normal_distance(double mean, double deviation) {
  if (deviation == 0) return std::abs(mean);
  const double z = mean / deviation;
  return deviation * (z * (2 * normal_cdf(z) - 1) + 2 * normal_density(z));
}

struct FastLaw::Origin {
  OutputLaw<double> component;
  OutcomeNoise noise;
  mutable std::unique_ptr<const CertifiedLaw> certified;
};

FastLaw::FastLaw(const OutputLaw<double>& component, const OutcomeNoise& noise) {
  if (component.estimated) {
    estimated_ = std::make_shared<const EstimatedLaw>(component, noise);
    way_ = Way::estimated;
    mean_ = estimated_->mean();
    variance_ = estimated_->variance();
    inner_variance_ = estimated_->inner_variance();
    grain_ = estimated_->grain();
    low_ = estimated_->low();
    high_ = estimated_->high();
    return;
  }
  const bool triangular = noise.kind == OutcomeNoise::Kind::triangular;
  const double radius = noise.alpha * component.noise;
  mean_ = component.constant;
  add_boxes(component.terms, half_widths_, mean_, inner_variance_);
  inner_variance_ += component.deviation * component.deviation;
  variance_ =
      inner_variance_ + (triangular ? radius * radius / 6 : component.noise * component.noise);
  gaussian_ = triangular ? component.deviation : std::hypot(component.deviation, component.noise);
  if (triangular && radius > 0) half_widths_.insert(half_widths_.end(), 2, radius / 2);
  if (!component.units.empty() || !half_widths_.empty())
    origin_ = std::make_shared<const Origin>(Origin{component, noise, nullptr});

  if (!component.units.empty()) {
    make_units(component);
    return;
  }
  const double spread = std::sqrt(variance_);
  grain_ = gaussian_ > 0 ? gaussian_ : spread / 64;
  low_ = mean_ - negligible * spread;
  high_ = mean_ + negligible * spread;
  // What moves no double is no box.
  std::erase_if(half_widths_, [&](double half) { return half < 1e-11 * spread; });
  if (spread == 0)
    way_ = Way::point;
  else if (half_widths_.empty())
    way_ = Way::gaussian;
  else if (make_series())
    way_ = Way::series;
  else if (make_corners())
    way_ = Way::corners;
  else
    way_ = Way::certified;
}

bool FastLaw::make_series() {
  const std::size_t boxes = half_widths_.size();
  const double spread = std::sqrt(variance_);
  double reach = negligible * gaussian_;
  for (const double half : half_widths_) reach += half;
  period_ = 2 * std::min(negligible * spread, reach * (1 + 1e-12));
  frequency_ = 2 * pi / period_;

  // How many coefficients: |sin a / a| is at most e^(-a^2/6) up to pi, and 1/a.
  const std::size_t limit = boxes <= most_corner_boxes ? short_series : long_series;
  std::size_t length = static_cast<std::size_t>(8.5 / spread / frequency_) + 2;
  for (;; length += length / 4) {
    if (length > limit) return false;
    const double u = frequency_ * static_cast<double>(length);
    double squares = 0, far = 1;
    for (const double half : half_widths_) {
      const double a = half * u;
      if (a < 3)
        squares += a * a;
      else
        far *= a;
    }
    if (std::exp(-squares / 6 - gaussian_ * gaussian_ * u * u / 2) < smallest * far) break;
  }

  const std::size_t places = (boxes + lanes - 1) / lanes * lanes;
  thread_local std::vector<double> storage;
  storage.resize(3 * places);
  double* const sines = storage.data();
  double* const steps = sines + places;
  double* const turns = steps + places;
  for (std::size_t i = 0; i < places; ++i) {
    const double a = i < boxes ? half_widths_[i] * frequency_ : 0;
    const double sine = std::sin(a / 2);
    // A place that is left over has the factor m / m.
    sines[i] = steps[i] = a > 0 ? 2 * sine * std::cos(a / 2) / a : 1;
    turns[i] = 4 * sine * sine;
  }
  real_.resize(length);
  const double decay = std::exp(-gaussian_ * gaussian_ * frequency_ * frequency_ / 2);
  double gauss = 1, ratio = decay;
  for (std::size_t m = 1; m <= length; ++m) {
    gauss *= ratio;
    ratio *= decay * decay;
    const double reciprocal = 1 / static_cast<double>(m);
    double products[lanes];
    std::fill_n(products, lanes, 1.0);
    for (std::size_t block = 0; block < places; block += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t i = block + lane;
        products[lane] *= sines[i] * reciprocal;
        steps[i] -= turns[i] * sines[i];
        sines[i] += steps[i];
      }
    double product = gauss;
    for (const double factor : products) product *= factor;
    real_[m - 1] = product;
  }

  // F = 1/2 in the middle, and E|Z + T/2| = T/2.
  offset_ = 0.5;
  distance_ = period_ / 4;
  for (std::size_t m = 1; m <= length; ++m) {
    const auto order = static_cast<double>(m);
    distance_ += 2 / pi * real_[m - 1] * (m % 2 == 0 ? 1 : -1) / (order * order * frequency_);
  }
  return true;
}

bool FastLaw::make_corners() {
  if (half_widths_.size() > most_corner_boxes) return false;
  double reach = negligible * gaussian_;
  for (const double half : half_widths_) reach += half;
  low_ = std::max(low_, mean_ - reach);
  high_ = std::min(high_, mean_ + reach);
  double size = 0;
  const double middle = corners(half_widths_.data(), half_widths_.size(), gaussian_, 0, 0, size);
  return size * 1e-15 < 1e-9 * middle;
}

void FastLaw::make_units(const OutputLaw<double>& component) {
  way_ = Way::certified;
  const double noise_variance = variance_ - inner_variance_;
  double reach = negligible * gaussian_;
  for (const double half : half_widths_) reach += half;
  const double resolution = gaussian_ > 0 ? 8.5 / gaussian_ : 0;
  std::vector<Nodes> all;
  double low = 0, high = 0;
  bool fits = gaussian_ > 0;
  std::size_t total = 0;
  for (const Unit<double>& unit : component.units) {
    Nodes nodes;
    if (fits && !make_nodes(unit, resolution, nodes, 1024)) fits = false;
    if (!fits) break;
    double mass = 0, first = 0, second = 0;
    for (std::size_t i = 0; i < nodes.places.size(); ++i) {
      mass += nodes.masses[i];
      first += nodes.masses[i] * nodes.places[i];
    }
    fits = std::abs(mass - 1) < 1e-9;
    first /= mass;
    for (std::size_t i = 0; i < nodes.places.size(); ++i) {
      nodes.masses[i] /= mass;
      nodes.places[i] -= first;
      second += nodes.masses[i] * nodes.places[i] * nodes.places[i];
    }
    mean_ += first;
    variance_ += second;
    inner_variance_ += second;
    const auto [least, most] = std::ranges::minmax(nodes.places);
    // Nodes lie inside the pieces; their ends are as far again from the last ones, at most.
    low += least;
    high += most;
    total += nodes.places.size();
    if (nodes.places.size() > 1) all.push_back(std::move(nodes));
  }
  if (!fits) {
    const CertifiedLaw& law = certified();
    mean_ = law.mean().get_d();
    variance_ = law.variance().get_d();
    inner_variance_ = std::max(0.0, variance_ - noise_variance);
    const double spread = std::sqrt(variance_);
    grain_ = gaussian_ > 0 ? gaussian_ : spread / 64;
    low_ = mean_ - 40 * spread;
    high_ = mean_ + 40 * spread;
    return;
  }
  grain_ = gaussian_;
  if (all.empty() && half_widths_.empty()) {  // all units are numbers
    way_ = Way::gaussian;
    low_ = mean_ - negligible * gaussian_;
    high_ = mean_ + negligible * gaussian_;
    return;
  }
  const double margin = 0.01 * (high - low) + reach;
  low_ = mean_ + low - margin;
  high_ = mean_ + high + margin;
  period_ = high_ - low_;
  frequency_ = 2 * pi / period_;
  const auto length = static_cast<std::size_t>(std::ceil(resolution / frequency_));
  if (length > long_series) return;

  real_.assign(length, 0);
  imaginary_.assign(length, 0);
  for (std::size_t m = 0; m < length; ++m) {
    const double u = frequency_ * static_cast<double>(m + 1);
    real_[m] = std::exp(-gaussian_ * gaussian_ * u * u / 2);
    for (const double half : half_widths_) real_[m] *= std::sin(half * u) / (half * u);
  }
  std::vector<double> storage(4 * total + 4 * lanes);
  for (const Nodes& nodes : all) {
    const std::size_t count = (nodes.places.size() + lanes - 1) / lanes * lanes;
    double* const cosines = storage.data();  // times the masses
    double* const sines = cosines + count;
    double* const turn_cosines = sines + count;
    double* const turn_sines = turn_cosines + count;
    for (std::size_t i = 0; i < count; ++i) {
      const bool there = i < nodes.places.size();
      cosines[i] = there ? nodes.masses[i] : 0;
      sines[i] = 0;
      const double angle = there ? nodes.places[i] * frequency_ : 0;
      turn_cosines[i] = std::cos(angle);
      turn_sines[i] = std::sin(angle);
    }
    for (std::size_t m = 0; m < length; ++m) {
      double reals[lanes]{}, imaginaries[lanes]{};
      for (std::size_t block = 0; block < count; block += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t i = block + lane;
          const double cosine = cosines[i] * turn_cosines[i] - sines[i] * turn_sines[i];
          const double sine = sines[i] * turn_cosines[i] + cosines[i] * turn_sines[i];
          cosines[i] = cosine;
          sines[i] = sine;
          reals[lane] += cosine;
          imaginaries[lane] += sine;
        }
      double real = 0, imaginary = 0;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        real += reals[lane];
        imaginary += imaginaries[lane];
      }
      const double old = real_[m];
      real_[m] = old * real - imaginary_[m] * imaginary;
      imaginary_[m] = old * imaginary + imaginary_[m] * real;
    }
  }
  way_ = Way::series;
  const double left = low_ - mean_;
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

const CertifiedLaw& FastLaw::certified() const {
  if (!origin_->certified)
    origin_->certified =
        std::make_unique<const CertifiedLaw>(exact(origin_->component), origin_->noise);
  return *origin_->certified;
}

double FastLaw::certified_log_density(double y) const {
  const std::optional<Interval> found = certified().log_density(Rational(y), 10);
  return found ? found->midpoint().get_d() : -infinity;
}

/// The sum of terms of the series at a phase, as the callback makes them of (cosine, sine, m).
template <class Term>
static double series_sum(std::size_t length, double angle, const Term& term) {
  const double c = std::cos(angle), s = std::sin(angle);
  double cosine = c, sine = s, sum = 0;
  for (std::size_t m = 0; m < length; ++m) {
    sum += term(m, cosine, sine);
    const double next = cosine * c - sine * s;
    sine = sine * c + cosine * s;
    cosine = next;
  }
  return sum;
}

double FastLaw::series_density(double x) const {
  const double angle = frequency_ * x;
  const double sum =
      imaginary_.empty()
          ? series_sum(real_.size(), angle,
                       [&](std::size_t m, double cosine, double) { return real_[m] * cosine; })
          : series_sum(real_.size(), angle, [&](std::size_t m, double cosine, double sine) {
              return real_[m] * cosine + imaginary_[m] * sine;
            });
  return (1 + 2 * sum) / period_;
}

double FastLaw::log_density(double y) const {
  const double x = y - mean_;
  switch (way_) {
    case Way::point:
      return x == 0 ? infinity : -infinity;
    case Way::gaussian:
      return normal_log_density(x / gaussian_) - std::log(gaussian_);
    case Way::series: {
      const bool symmetric = imaginary_.empty();
      if (symmetric ? std::abs(x) < period_ / 2 : y > low_ && y < high_) {
        const double density = series_density(x);
        if (density * std::sqrt(variance_) > relative_limit) return std::log(density);
      }
      return symmetric ? tilted_log_density(std::abs(x)) : tail_of_units(y);
    }
    case Way::corners: {
      double size = 0;
      const double density =
          corners(half_widths_.data(), half_widths_.size(), gaussian_, 0, -std::abs(x), size);
      if (density > 1e-6 * size) return std::log(density);
      if (size == 0 && gaussian_ == 0) return -infinity;
      return certified_log_density(y);
    }
    case Way::certified:
      return certified_log_density(y);
    case Way::estimated:
      return estimated_->log_density(y);
  }
  return -infinity;
}

double FastLaw::estimated_error() const { return estimated_ ? estimated_->error() : 0; }

double FastLaw::density(double y) const { return std::exp(log_density(y)); }

double FastLaw::rough_density(double y) const {
  if (way_ != Way::series) return density(y);
  const double x = y - mean_;
  const bool inside = imaginary_.empty() ? std::abs(x) < period_ / 2 : y > low_ && y < high_;
  return inside ? std::max(0.0, series_density(x)) : 0;
}

/// log p(y) as a sum over the nodes of all units together, fine enough for the slope of the kernel:
/// all terms are positive.
double FastLaw::tail_of_units(double y) const {
  const OutputLaw<double>& component = origin_->component;
  if (!half_widths_.empty()) return certified_log_density(y);
  const double farthest = std::max(std::abs(y - low_), std::abs(y - high_));
  const double steepness = std::max(8.5 / gaussian_, farthest / (gaussian_ * gaussian_));
  std::vector<double> places{component.constant}, masses{1};
  for (const Unit<double>& unit : component.units) {
    Nodes nodes;
    if (!make_nodes(unit, steepness, nodes, 100'000) ||
        nodes.places.size() * places.size() > 100'000)
      return certified_log_density(y);
    std::vector<double> all_places, all_masses;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < nodes.places.size(); ++j) {
        all_places.push_back(places[i] + nodes.places[j]);
        all_masses.push_back(masses[i] * nodes.masses[j]);
      }
    places = std::move(all_places);
    masses = std::move(all_masses);
  }
  double most = -infinity, sum = 0;
  for (double& place : places) {
    place = normal_log_density((y - place) / gaussian_);
    most = std::max(most, place);
  }
  for (std::size_t i = 0; i < places.size(); ++i) sum += masses[i] * std::exp(places[i] - most);
  return most + std::log(sum / gaussian_);
}

/// log p(x) for x >= 0 by tilting.
double FastLaw::tilted_log_density(double x) const {
  double reach = 0;
  for (const double half : half_widths_) reach += half;
  if (gaussian_ == 0) return x >= reach ? -infinity : certified_log_density(mean_ + x);
  // K(t) = sum of log(sinh(ht) / ht) + g^2 t^2 / 2 and its derivatives.
  const auto cumulant = [&](double t, double& value, double& first, double& second) {
    value = gaussian_ * gaussian_ * t * t / 2;
    first = gaussian_ * gaussian_ * t;
    second = gaussian_ * gaussian_;
    for (const double half : half_widths_) {
      const double a = half * t;
      if (a < 1e-2) {
        const double square = a * a;
        value += square * (1.0 / 6 - square * (1.0 / 180 - square / 2835));
        first += half * a * (1.0 / 3 - square * (1.0 / 45 - square * (2.0 / 945)));
        second += half * half * (1.0 / 3 - square * (1.0 / 15 - square * (2.0 / 189)));
      } else {
        const double shrunk = std::exp(-2 * a), below = -std::expm1(-2 * a);
        value += a + std::log(below / (2 * a));
        first += half * ((1 + shrunk) / below - 1 / a);
        second += half * half * (1 / (a * a) - 4 * shrunk / (below * below));
      }
    }
  };
  // K' is concave on t >= 0 and at most min(v t, g^2 t + reach): Newton's steps from the right end
  // of what that leaves, kept between bounds.
  // Any tilt near the saddlepoint will do.
  double least = x / variance_, most = x / (gaussian_ * gaussian_);
  double t = least, value = 0, first = 0, second = 0;
  for (int step = 0; step < 200; ++step) {
    cumulant(t, value, first, second);
    if (std::abs(x - first) < 0.05 * std::sqrt(second)) break;
    (first < x ? least : most) = t;
    const double next = t + (x - first) / second;
    t = next > least && next < most ? next : (least + most) / 2;
  }
  const double spread = std::sqrt(second), period = 40 * spread, frequency = 2 * pi / period;
  const double length = std::ceil(8.5 / gaussian_ / frequency);
  if (length > 4096) return certified_log_density(mean_ + x);
  // M(t + iu) / M(t) e^(-iux); a box has sinh(a + ib) / sinh(a) = cos b + i coth(a) sin b, times
  // t / (t + iu).
  const std::size_t boxes = half_widths_.size(), places = (boxes + lanes - 1) / lanes * lanes;
  std::vector<double> storage(5 * places);
  double* const cosines = storage.data();
  double* const sines = cosines + places;
  double* const turn_cosines = sines + places;
  double* const turn_sines = turn_cosines + places;
  double* const coths = turn_sines + places;
  for (std::size_t i = 0; i < places; ++i) {
    const double half = i < boxes ? half_widths_[i] : 0, a = half * t;
    cosines[i] = turn_cosines[i] = std::cos(half * frequency);
    sines[i] = turn_sines[i] = std::sin(half * frequency);
    coths[i] = i >= boxes ? 0 : a < 1e-8 ? 1 / a : (1 + std::exp(-2 * a)) / -std::expm1(-2 * a);
  }
  double sum = 0;
  for (double m = 1; m <= length; ++m) {
    const double u = frequency * m;
    double reals[lanes], imaginaries[lanes]{};
    std::fill_n(reals, lanes, 1.0);
    for (std::size_t block = 0; block < places; block += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t i = block + lane;
        const double c = cosines[i], s = sines[i] * coths[i];
        const double real = reals[lane] * c - imaginaries[lane] * s;
        imaginaries[lane] = reals[lane] * s + imaginaries[lane] * c;
        reals[lane] = real;
        const double next = cosines[i] * turn_cosines[i] - sines[i] * turn_sines[i];
        sines[i] = sines[i] * turn_cosines[i] + cosines[i] * turn_sines[i];
        cosines[i] = next;
      }
    Complex factor = std::polar(std::exp(-gaussian_ * gaussian_ * u * u / 2),
                                u * (gaussian_ * gaussian_ * t - x));
    for (std::size_t lane = 0; lane < lanes; ++lane)
      factor *= Complex(reals[lane], imaginaries[lane]);
    Complex turn = t / Complex(t, u);
    for (std::size_t n = boxes; n > 0; n /= 2, turn *= turn)
      if (n % 2 == 1) factor *= turn;
    sum += factor.real();
    if (std::norm(factor) < 1e-30) break;
  }
  const double density = (1 + 2 * sum) / period;
  if (!(density * spread > 1e-3)) return certified_log_density(mean_ + x);
  return value - t * x + std::log(density);
}

double FastLaw::cdf(double y) const {
  const double x = y - mean_;
  switch (way_) {
    case Way::point:
      return x >= 0 ? 1 : 0;
    case Way::gaussian:
      return normal_cdf(x / gaussian_);
    case Way::series: {
      const double left = imaginary_.empty() ? -period_ / 2 : low_ - mean_;
      if (x <= left) return 0;
      if (x >= left + period_) return 1;
      const double angle = frequency_ * x;
      const double sum =
          imaginary_.empty()
              ? series_sum(real_.size(), angle,
                           [&](std::size_t m, double, double sine) {
                             return real_[m] * sine / static_cast<double>(m + 1);
                           })
              : series_sum(real_.size(), angle, [&](std::size_t m, double cosine, double sine) {
                  return (real_[m] * sine - imaginary_[m] * cosine) / static_cast<double>(m + 1);
                });
      return std::clamp(offset_ + x / period_ + sum / pi, 0.0, 1.0);
    }
    case Way::corners: {
      double size = 0;
      const double tail =
          corners(half_widths_.data(), half_widths_.size(), gaussian_, 1, -std::abs(x), size);
      return std::clamp(x < 0 ? tail : 1 - tail, 0.0, 1.0);
    }
    case Way::certified:
      return certified().cdf(Rational(y), 12).midpoint().get_d();
    case Way::estimated:
      return estimated_->cdf(y);
  }
  return 0;
}

double FastLaw::distance(double y) const {
  const double x = y - mean_;
  switch (way_) {
    case Way::point:
      return std::abs(x);
    case Way::gaussian:
      return normal_distance(x, gaussian_);
    case Way::series: {
      const double left = imaginary_.empty() ? -period_ / 2 : low_ - mean_;
      if (x <= left || x >= left + period_) return std::abs(x);
      const double sum =
          series_sum(real_.size(), frequency_ * x, [&](std::size_t m, double cosine, double sine) {
            const auto order = static_cast<double>(m + 1);
            return (real_[m] * cosine + (imaginary_.empty() ? 0 : imaginary_[m] * sine)) /
                   (order * order);
          });
      return distance_ + x * x / period_ + (2 * offset_ - 1) * x - 2 / pi * sum / frequency_;
    }
    case Way::corners: {
      double size = 0;
      return std::abs(x) + 2 * corners(half_widths_.data(), half_widths_.size(), gaussian_, 2,
                                       -std::abs(x), size);
    }
    case Way::certified: {
      // The integral of the distribution function below y, and of the rest above.
      const auto& rule = GaussLegendre<24>::rule();
      const double spread = std::sqrt(variance_);
      double below = 0;  // E(y - Y)_+
      double from = std::max(mean_ - 12 * spread, low_);
      if (y <= from) return mean_ - y;
      const double panels = std::ceil((std::min(y, mean_ + 12 * spread) - from) / spread);
      const double end = std::min(y, mean_ + 12 * spread), half = (end - from) / 2 / panels;
      for (double panel = 0; panel < panels; ++panel)
        for (std::size_t k = 0; k < rule.nodes.size(); ++k)
          below += half * rule.weights[k] * cdf(from + half * (2 * panel + 1 + rule.nodes[k]));
      below += y - end;
      return 2 * below - x;
    }
    case Way::estimated:
      return estimated_->distance(y);
  }
  return 0;
}

}  // namespace wmi::bnn
