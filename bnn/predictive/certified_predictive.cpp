#include "bnn/predictive/certified_predictive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/laws/elementary.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

Rational tenth_power(unsigned digits) { return ratio(1, power(Rational(10), digits).get_num()); }

/// log of a positive number: that of the density of a uniform law on an interval of length 1/x.
Interval log_of(const Rational& x, unsigned digits) {
  return IndependentSum(0, {{1, 0, 1 / x}}).log_density(1 / (2 * x), digits);
}

Interval at_least(const Interval& value, const Rational& floor) {
  return {std::max(value.lower, floor), std::max(value.upper, floor)};
}

/// Up to so many digits doubles are tried first.
constexpr unsigned most_rounded_digits = 14;

/// Deviations from the mean within which quantiles are looked for.
constexpr long farthest = 1'000'000;

}  // namespace

CertifiedPredictive::CertifiedPredictive(std::span<const OutputLaw<Rational>> output_laws,
                                         const OutcomeNoise& noise,
                                         const Standardisation& standardisation, Rational floor)
    : mean_(standardisation.target_mean),
      scale_(standardisation.target_scale),
      floor_(std::move(floor)) {
  Rational total;
  for (const OutputLaw<Rational>& output_law : outcome_laws(output_laws, noise)) {
    laws_.emplace_back(output_law, noise);
    weights_.emplace_back(output_law.weight);
    total += weights_.back();
  }
  for (Rational& weight : weights_) {
    weight /= total;
    rounded_weights_.push_back(weight.get_d());
  }
  variance_ = find_variance();
}

Interval CertifiedPredictive::mean() const {
  const auto mean = mean_over_laws<Interval>([](const CertifiedLaw& law) { return law.mean(); });
  return Interval(mean_) + Interval(scale_) * mean;
}

Interval CertifiedPredictive::find_variance() const {
  const auto first = mean_over_laws<Interval>([](const CertifiedLaw& law) { return law.mean(); });
  const auto second = mean_over_laws<Interval>(
      [](const CertifiedLaw& law) { return law.variance() + power(law.mean(), 2); });
  const Interval found = Interval(Rational(scale_ * scale_)) * (second - power(first, 2));
  return {std::max(Rational(0), found.lower), found.upper};
}

std::optional<Interval> CertifiedPredictive::exponential_moment(const Rational& t,
                                                                unsigned digits) const {
  Interval sum(0);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const auto part = laws_[i].exponential_moment(t * scale_, digits + 2);
    if (!part) return {};
    sum += *part * Interval(weights_[i]);
  }
  const Interval factor = exponential(t * mean_, digits + 2);
  return Interval(sum.lower * factor.lower, sum.upper * factor.upper);
}

Rational CertifiedPredictive::steepness() const {
  Rational most;
  for (const CertifiedLaw& law : laws_) most = std::max(most, law.steepness());
  return most / (scale_ * scale_);
}

Interval CertifiedPredictive::density(const Rational& y, unsigned digits) const {
  return at_least(density_without_floor(y, digits), floor_);
}

std::optional<Interval> CertifiedPredictive::rounded_mean(
    std::optional<RoundedValue> (CertifiedLaw::*of)(const RoundedValue&) const, const Rational& x,
    double wanted, bool relative) const {
  const RoundedValue at = rounded(x);
  RoundedValue sum;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const auto part = (laws_[i].*of)(at);
    if (!part) return {};
    sum.value += rounded_weights_[i] * part->value;
    sum.error += rounded_weights_[i] * part->error;
  }
  // A weight and a product round by 4 units, each sum by one.
  const double units = static_cast<double>(laws_.size()) + 4;
  const double error = 1.01 * (sum.error + units * 0x1p-53 * sum.value);
  if (!(error <= 0.45 * wanted * (relative ? sum.value : 1)) || (relative && sum.value < 1e-200))
    return {};
  const Rational middle(sum.value), radius(error);
  return Interval(middle - radius, middle + radius);
}

Interval CertifiedPredictive::density_without_floor(const Rational& y, unsigned digits) const {
  const Rational x = to_standard(y);
  if (digits <= most_rounded_digits)
    if (const auto found =
            rounded_mean(&CertifiedLaw::rounded_density, x, std::pow(10, -double(digits)), true))
      return *found * Interval(1 / scale_);
  // Most outcomes lie where the densities are near their maxima: that is quick, and often enough.
  for (const Relative relative : {Relative::to_maximum, Relative::to_value}) {
    const auto sum = mean_over_laws<Interval>(
        [&](const CertifiedLaw& law) { return law.density(x, digits + 1, relative); });
    if (relative == Relative::to_value || sum.upper - sum.lower <= tenth_power(digits) * sum.lower)
      return sum * Interval(1 / scale_);
  }
  return {};
}

std::optional<Interval> CertifiedPredictive::log_density(const Rational& y, unsigned digits) const {
  std::optional<Interval> result = log_density_without_floor(y, digits);
  if (floor_ == 0) return result;
  const Interval least = log_of(floor_, digits);
  if (!result) return least;
  return Interval(std::max(result->lower, least.lower), std::max(result->upper, least.upper));
}

std::optional<Interval> CertifiedPredictive::log_density_without_floor(const Rational& y,
                                                                       unsigned digits) const {
  const Rational x = to_standard(y);
  const Interval value = density_without_floor(y, digits + 1);
  if (value.upper == 0) return {};
  if (value.lower > 0)
    return Interval(log_of(value.lower, digits + 1).lower, log_of(value.upper, digits + 1).upper);
  // Smaller than any density has digits: the largest logarithm, and what the others add to it.
  constexpr unsigned most = 12;
  double largest = -std::numeric_limits<double>::infinity(), width = 0;
  std::vector<double> logs;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const std::optional<Interval> log = laws_[i].log_density(x, std::min(digits + 1, most));
    if (!log || weights_[i] == 0) continue;
    logs.push_back(log->midpoint().get_d() + std::log(weights_[i].get_d()));
    width = std::max(width, Rational(log->upper - log->lower).get_d());
    largest = std::max(largest, logs.back());
  }
  if (logs.empty()) return {};
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  const double found = largest + std::log(sum) - std::log(scale_.get_d());
  // Roundings of doubles, generously.
  const double slack =
      width + 1e-15 * static_cast<double>(laws_.size() + 16) * (1 + std::abs(largest));
  return Interval(Rational(found - slack), Rational(found + slack));
}

Interval CertifiedPredictive::cdf(const Rational& y, unsigned digits) const {
  const Rational x = to_standard(y);
  if (digits <= most_rounded_digits)
    if (const auto found =
            rounded_mean(&CertifiedLaw::rounded_cdf, x, std::pow(10, -double(digits)), false))
      return Interval(std::max(found->lower, Rational(0)), std::min(found->upper, Rational(1)));
  return mean_over_laws<Interval>([&](const CertifiedLaw& law) { return law.cdf(x, digits); });
}

Interval CertifiedPredictive::quantile(const Rational& p, const Rational& guess,
                                       unsigned digits) const {
  const Rational deviation(std::sqrt(variance().midpoint().get_d()));
  // Newton's steps, with slopes of some nine digits: each adds about eight.
  Rational place = guess;
  const Rational grid = deviation * tenth_power(digits + 2);
  for (unsigned known = 9; known < digits; known += 8) {
    const Rational slope = density_without_floor(place, 9).midpoint();
    if (slope == 0) break;
    place -= (cdf(place, std::min(known + 8, digits) + 3).midpoint() - p) / slope;
    const Rational steps = place / grid;
    place = grid * Rational(Integer(steps.get_num() / steps.get_den()));
  }
  const Rational width = deviation * tenth_power(digits);
  for (Rational half = width / 2; half <= 8 * width; half *= 4) {
    const Interval below = cdf(place - half, digits + 3), above = cdf(place + half, digits + 3);
    if (below.upper < p && p < above.lower) return {place - half, place + half};
  }
  return bisected_quantile(p, width, deviation, digits);
}

Interval CertifiedPredictive::bisected_quantile(const Rational& p, const Rational& width,
                                                const Rational& deviation, unsigned digits) const {
  // In a tail, digits of the distribution function are needed beyond the zeros of p.
  const Rational tail = std::min(p, Rational(1 - p));
  unsigned known = digits + 3;
  for (Rational power = 1; power > tail; power /= 10) ++known;
  const unsigned most = 2 * known + 50;  // where the density is small, more are needed
  const auto is_below = [&](const Rational& y) { return cdf(y, known).upper < p; };
  const auto is_above = [&](const Rational& y) { return p < cdf(y, known).lower; };
  const Rational middle = mean().midpoint();
  Rational lower = middle - deviation, upper = middle + deviation;
  for (Rational step = deviation; !is_below(lower); step *= 2) {
    if (step > deviation * farthest) throw GaveUp("no quantile was found");
    lower -= step;
  }
  for (Rational step = deviation; !is_above(upper); step *= 2) {
    if (step > deviation * farthest) throw GaveUp("no quantile was found");
    upper += step;
  }
  while (upper - lower > width) {
    const Rational place = (lower + upper) / 2;
    if (is_below(place))
      lower = place;
    else if (is_above(place))
      upper = place;
    else if (known < most)
      known += 10;
    else
      break;  // the distribution function is flat here, or nearly
  }
  return {lower, upper};
}

}  // namespace wmi::bnn
