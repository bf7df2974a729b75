// The law of a sum of independent terms, by the fastest of three methods.
//
// About its centre the sum consists of boxes and perhaps a Gaussian (boxes.h), in units of a power
// of two near the standard deviation. Values are computed by
//
//   - the closed form over corners in rationals (box_spline.h), for few boxes and no Gaussian;
//   - the Fourier series in doubles (series.h), if its proven error is small enough;
//   - the tilted Fourier series in Arb (tilted.h), which has relative accuracy, combined with a sum
//     over the corners of the widest boxes if the series alone would be long (box_spline.h).
//
// Each returns an enclosure, so the choice does not affect correctness. The maximum of a density of
// variance v is at least 1 / sqrt(12 v), that of the uniform.
//
// Quantiles. The cdf of a log-concave law is log-concave, so Newton steps on its logarithm, from a
// point where it is too small, never overshoot; the median is the mean. The result is accepted only
// if the enclosures of the cdf on both sides of it are on both sides of p.

#include "solver/laws/independent_sums/independent_sum.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "solver/laws/independent_sums/box_spline.h"
#include "solver/laws/independent_sums/moments.h"
#include "solver/laws/independent_sums/series.h"
#include "solver/laws/independent_sums/tilt_plan.h"
#include "solver/numeric/ball.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// value * 2^exponent.
Rational scaled(const Rational& value, long exponent) {
  Rational result;
  if (exponent >= 0)
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return result;
}

/// The e for which value lies in [2^e, 2^(e+1)); value > 0.
long floor_log2(const Rational& value) {
  const long guess = static_cast<long>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) -
                     static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  return scaled(value, -guess) >= 1 ? guess : guess - 1;
}

/// The natural logarithm, in doubles, for values of any size.
double log_of(const Rational& value) {
  const long exponent = floor_log2(value);
  return std::log(scaled(value, -exponent).get_d()) +
         static_cast<double>(exponent) * std::numbers::ln2;
}

Rational tenth_power(unsigned digits) {
  Integer result;
  mpz_ui_pow_ui(result.get_mpz_t(), 10, digits);
  return ratio(1, result);
}

Interval scaled(const Interval& value, long exponent) {
  return {scaled(value.lower, exponent), scaled(value.upper, exponent)};
}

Interval interval(const Rounded& value) {
  const Rational middle(value.middle), radius(value.radius);
  return {middle - radius, middle + radius};
}

/// Restricts an enclosure: a density or probability is not negative, a probability at most 1.
Interval clamped(Interval value, bool probability) {
  if (value.lower < 0) value.lower = 0;
  if (probability && value.upper > 1) value.upper = 1;
  return value;
}

}  // namespace

/// The sum about its centre, in units of 2^unit, so that its standard deviation lies in [1, 2).
struct IndependentSum::Law {
  Law(const Rational& constant, const std::vector<SumTerm>& terms, const Noise& noise);

  Rational standardised(const Rational& s) const { return scaled(s - mean, -unit); }

  /// The tail integral of order 0 or 1 at x (in units), in rationals if that is fast.
  std::optional<Rational> closed_form(unsigned order, const Rational& x) const;
  /// The same in Arb, until the width is at most 10^-digits of the value, or at most 2 * `enough`.
  Ball enclosed(unsigned order, const Rational& x, unsigned digits, const Rational& enough) const;

  /// Whether a fast bound on the tail integral at x >= 0 is below 10^-(digits + 1).
  bool negligible(unsigned order, const Rational& x, unsigned digits) const;

  Interval density(const Rational& x, unsigned digits, Relative relative) const;
  /// P(S > x).
  Interval survival(const Rational& x, unsigned digits, Relative relative) const;

  /// The point where the survival function is `tail`, which is less than 1/2.
  Interval upper_quantile(const Rational& tail, unsigned digits) const;
  Rational beyond_quantile(const Rational& tail) const;

  Rational mean;
  long unit = 0;
  Boxes boxes;
  double spread = 0;             // the standard deviation, in [1, 2)
  Rational reach;                // the end of the support, if it is finite
  std::optional<Series> series;  // unless it is a point
};

IndependentSum::Law::Law(const Rational& constant, const std::vector<SumTerm>& terms,
                         const Noise& noise)
    : mean(constant) {
  std::vector<Box> widths;
  widths.reserve(terms.size() + 1);
  for (const SumTerm& term : terms) {
    if (term.from > term.to)
      throw Error("a term's interval [" + to_string(term.from) + ", " + to_string(term.to) +
                  "] is empty; its ends must not fall");
    if (term.order == 0) throw Error("a term has order 0; 1 is uniform, 2 triangular");
    mean += scaled(term.coefficient * (term.from + term.to), -1);
    Rational half_width = scaled(abs(term.coefficient) * (term.to - term.from), -1);
    if (term.order > 1) half_width /= term.order;
    if (half_width > 0) widths.push_back({std::move(half_width), term.order});
  }
  if (noise.scale() < 0)
    throw Error("the noise has the scale " + to_string(noise.scale()) +
                "; it must not be negative");
  if (noise.scale() > 0) {
    if (noise.kind() == Noise::Kind::uniform) widths.push_back({noise.scale(), 1});
    if (noise.kind() == Noise::Kind::triangular) widths.push_back({noise.scale() / 2, 2});
    if (noise.kind() == Noise::Kind::gaussian) boxes.sigma = noise.scale();
  }
  std::sort(widths.begin(), widths.end(),
            [](const Box& a, const Box& b) { return a.half_width > b.half_width; });
  for (Box& box : widths) {
    if (!boxes.boxes.empty() && boxes.boxes.back().half_width == box.half_width)
      boxes.boxes.back().count += box.count;
    else
      boxes.boxes.push_back(std::move(box));
  }
  if (boxes.is_point()) return;

  // A unit near the standard deviation, from the largest width and the ratios of the others to it.
  unit = floor_log2(boxes.boxes.empty() ? boxes.sigma
                                        : std::max(boxes.boxes[0].half_width, boxes.sigma));
  double variance = 0;
  for (const Box& box : boxes.boxes) {
    const double width = scaled(box.half_width, -unit).get_d();
    variance += box.count * width * width / 3;
  }
  const double sigma = scaled(boxes.sigma, -unit).get_d();
  const long more = std::ilogb(std::sqrt(variance + sigma * sigma));
  unit += more;
  spread = std::ldexp(std::sqrt(variance + sigma * sigma), static_cast<int>(-more));
  for (Box& box : boxes.boxes) box.half_width = scaled(box.half_width, -unit);
  boxes.sigma = scaled(boxes.sigma, -unit);
  if (boxes.sigma == 0) reach = boxes.reach();
  series.emplace(boxes);
}

std::optional<Rational> IndependentSum::Law::closed_form(unsigned order, const Rational& x) const {
  constexpr double short_sum = 16;
  if (boxes.sigma > 0) return {};
  if (abs(x) > reach || (abs(x) == reach && (order == 1 || boxes.count() > 1)))
    return order == 1 && x < 0 ? 1 : 0;
  const std::size_t groups = boxes.boxes.size();
  if (boxes.count() > 3 && corner_count(boxes, groups) > short_sum) return {};
  return exact_tail(boxes, order, x);
}

Ball IndependentSum::Law::enclosed(unsigned order, const Rational& x, unsigned digits,
                                   const Rational& enough) const {
  const std::size_t groups = best_split(boxes, order, x, bits_of(digits));
  if (groups == boxes.boxes.size() && boxes.sigma == 0)
    return ball(exact_tail(boxes, order, x), bits_of(digits) + 32);
  Ball radius;
  for (long bits = bits_of(digits) + 8;; bits *= 2) {
    Ball result = split_tail(boxes, groups, order, x, bits);
    if (has_digits(result, digits)) return result;
    arb_get_rad_arb(radius, result);
    if (enough > 0 && arb_le(radius, ball(enough, 60))) return result;
    if (bits > 4096 + 8 * bits_of(digits))
      throw GaveUp("the value is too small against the terms that it is made of to have " +
                   std::to_string(digits) + " digits");
  }
}

bool IndependentSum::Law::negligible(unsigned order, const Rational& x, unsigned digits) const {
  return log_tail_bound(boxes, order, x) < -(digits + 1.0) * std::numbers::ln10;
}

Interval IndependentSum::Law::density(const Rational& x, unsigned digits, Relative relative) const {
  if (const auto exact = closed_form(0, x)) return *exact;
  // Half of 10^-digits / sqrt(12 v).
  const double wanted = 0.144 / spread * std::pow(10, -static_cast<double>(digits));
  if (const auto rounded = series->density(x.get_d(), wanted)) {
    const double value = rounded->middle - rounded->radius;
    if (relative == Relative::to_maximum || wanted * value * spread > rounded->radius)
      return clamped(interval(*rounded), false);
  }
  if (relative == Relative::to_maximum && negligible(0, abs(x), digits))
    return {0, tenth_power(digits + 1)};
  const Rational enough = relative == Relative::to_maximum ? Rational(wanted) : Rational(0);
  return clamped(wmi::interval(enclosed(0, abs(x), digits, enough)), false);
}

Interval IndependentSum::Law::survival(const Rational& x, unsigned digits,
                                       Relative relative) const {
  if (const auto exact = closed_form(1, x)) return *exact;
  const double wanted = 0.499 * std::pow(10, -static_cast<double>(digits));
  if (const auto rounded = series->cdf(-x.get_d(), wanted)) {
    const double value = rounded->middle - rounded->radius;
    if (relative == Relative::to_maximum || wanted * value > rounded->radius)
      return clamped(interval(*rounded), true);
  }
  if ((x < 0 || relative == Relative::to_maximum) && negligible(1, abs(x), digits)) {
    const Rational tail = tenth_power(digits + 1);
    return x < 0 ? Interval(1 - tail, 1) : Interval(0, tail);
  }
  const Rational enough = relative == Relative::to_maximum ? Rational(wanted) : Rational(0);
  return clamped(wmi::interval(enclosed(1, x, digits, enough)), true);
}

/// A starting point of Newton's method: positive, and the mass beyond it is at most `tail`.
Rational IndependentSum::Law::beyond_quantile(const Rational& tail) const {
  constexpr double further = 1 + 1e-9, nearer = 1 - 1e-9;
  const double log_tail = log_of(tail), log_half = log_tail - std::numbers::ln2;
  // At most e^(-x^2 / 2v) lies beyond x.
  const Rational beyond(spread * std::sqrt(-2 * log_tail) * further);
  // For the boxes alone, the mass within g of the end is at most the volume of a simplex over that
  // of the product; and boxes and noise are not both in half of their tails.
  const auto count = static_cast<double>(boxes.count());
  double log_volume = (boxes.sigma == 0 ? log_tail : log_half) + std::lgamma(count + 1);
  for (const Box& box : boxes.boxes) log_volume += box.count * log_of(2 * box.half_width);
  Rational end = boxes.reach();
  if (count > 0) end -= std::min(Rational(std::exp(log_volume / count) * nearer), end);
  end += boxes.sigma * Rational(std::sqrt(-2 * log_half) * further);
  return std::min(beyond, end);
}

Interval IndependentSum::Law::upper_quantile(const Rational& tail, unsigned digits) const {
  const Rational radius = tenth_power(digits) * Rational(0.499 * spread);
  const auto rounded = [&](const Rational& value) {
    const Rational shifted = scaled(value, bits_of(digits) + 16);
    return scaled(Rational(Integer(shifted.get_num() / shifted.get_den())), -bits_of(digits) - 16);
  };
  Rational x = beyond_quantile(tail);
  unsigned working = 8, most = digits + 3;
  for (int round = 0; round < 300; ++round) {
    const Interval above = survival(x, working, Relative::to_value);
    const Interval slope = density(x, working, Relative::to_value);
    Rational move;
    if (above.lower > 0 && slope.lower > 0) {
      Ball log = ball(Rational(above.midpoint() / tail), bits_of(working) + 32);
      arb_log(log, log, bits_of(working) + 32);
      move = wmi::interval(log).midpoint() * above.midpoint() / slope.midpoint();
    }
    x = std::max(rounded(x + move), Rational(0));
    if (abs(move) > radius / 4 || working < most) {
      if (abs(move) < Rational(1, 16)) working = std::min(2 * working, most);
      continue;
    }
    Interval result(x - radius, x + radius);
    if (survival(result.lower, most, Relative::to_value).lower >= tail &&
        survival(result.upper, most, Relative::to_value).upper <= tail)
      return result;
    most += 4;
  }
  throw GaveUp("the quantile was not found");
}

IndependentSum::IndependentSum(const Rational& constant, const std::vector<SumTerm>& terms,
                               const Noise& noise)
    : law_(std::make_unique<const Law>(constant, terms, noise)) {}
IndependentSum::IndependentSum(const IndependentSum& other)
    : law_(std::make_unique<const Law>(*other.law_)) {}
IndependentSum::IndependentSum(IndependentSum&&) noexcept = default;
IndependentSum& IndependentSum::operator=(const IndependentSum& other) {
  law_ = std::make_unique<const Law>(*other.law_);
  return *this;
}
IndependentSum& IndependentSum::operator=(IndependentSum&&) noexcept = default;
IndependentSum::~IndependentSum() = default;

bool IndependentSum::is_point() const { return law_->boxes.is_point(); }

std::optional<Interval> IndependentSum::support() const {
  if (law_->boxes.sigma > 0) return {};
  const Rational reach = scaled(law_->reach, law_->unit);
  return Interval(law_->mean - reach, law_->mean + reach);
}

const Rational& IndependentSum::mean() const { return law_->mean; }
Boxes IndependentSum::about_mean() const {
  Boxes result = law_->boxes;
  for (Box& box : result.boxes) box.half_width = scaled(box.half_width, law_->unit);
  result.sigma = scaled(result.sigma, law_->unit);
  return result;
}

Rational IndependentSum::variance() const { return scaled(law_->boxes.variance(), 2 * law_->unit); }

Rational IndependentSum::central_moment(unsigned k) const {
  return scaled(central_moments(law_->boxes, k)[k], static_cast<long>(k) * law_->unit);
}

Rational IndependentSum::raw_moment(unsigned k) const {
  const std::vector<Rational> central = central_moments(law_->boxes, k);
  Rational result;
  Integer binomial;
  for (unsigned i = 0; i <= k; ++i) {
    mpz_bin_uiui(binomial.get_mpz_t(), k, i);
    result +=
        binomial * scaled(central[i], static_cast<long>(i) * law_->unit) * power(law_->mean, k - i);
  }
  return result;
}

Interval IndependentSum::density(const Rational& s, unsigned digits, Relative relative) const {
  if (is_point())
    throw Error("the sum is the constant " + to_string(mean()) + ", which has no density");
  return scaled(law_->density(law_->standardised(s), digits, relative), -law_->unit);
}

Interval IndependentSum::log_density(const Rational& s, unsigned digits) const {
  if (is_point())
    throw Error("the sum is the constant " + to_string(mean()) + ", which has no density");
  const Rational x = abs(law_->standardised(s));
  const std::optional<Rational> exact = law_->closed_form(0, x);
  if (exact && *exact == 0)
    throw Error("the density at " + to_string(s) + " is 0, which has no logarithm");
  Ball value = exact ? ball(*exact, bits_of(digits) + 64) : law_->enclosed(0, x, digits + 1, 0);
  Ball units;
  arb_log(units, value, 30);
  const slong size = arf_abs_bound_lt_2exp_si(arb_midref(static_cast<arb_srcptr>(units)));
  const slong precision = bits_of(digits) + 64 + std::max<slong>(size, 0);
  arb_log(value, value, precision);
  arb_const_log2(units, precision);
  arb_mul_si(units, units, law_->unit, precision);
  arb_sub(value, value, units, precision);
  return wmi::interval(value);
}

Interval IndependentSum::cdf(const Rational& s, unsigned digits, Relative relative) const {
  if (is_point()) return Rational(s >= mean() ? 1 : 0);
  return law_->survival(-law_->standardised(s), digits, relative);
}

Interval IndependentSum::survival(const Rational& s, unsigned digits, Relative relative) const {
  if (is_point()) return Rational(s >= mean() ? 0 : 1);
  return law_->survival(law_->standardised(s), digits, relative);
}

Interval IndependentSum::quantile(const Rational& p, unsigned digits) const {
  if (p < 0 || p > 1) throw Error("a quantile of " + to_string(p) + ", which is no probability");
  if (is_point()) return mean();
  if (sgn(p) == 0 || p == 1) {
    const std::optional<Interval> ends = support();
    if (!ends)
      throw Error("the quantile of " + to_string(p) + " is not finite: the noise has no ends");
    return p == 0 ? ends->lower : ends->upper;
  }
  if (2 * p == 1) return mean();
  const bool below = 2 * p < 1;
  const Interval x = law_->upper_quantile(below ? p : Rational(1 - p), digits);
  const Interval distance = scaled(x, law_->unit);
  return below ? mean() - distance : mean() + distance;
}

}  // namespace wmi
