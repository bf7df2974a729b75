// T(y) is no rational number but an interval as narrow as one likes. The distribution function grows
// across it; a density changes by at most its width times a bound on the slope that the noise gives
// (CertifiedPredictive::steepness). Moments under exponential functions are those of the moment
// generating function.

#include "bnn/predictive/certified_outcome.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/laws/elementary.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr unsigned most_digits = 30'000;

Rational tenth_power(unsigned digits) { return ratio(1, power(Rational(10), digits).get_num()); }

Standardisation without_transform(Standardisation standardisation) {
  standardisation.target_transform = TargetTransform::none;
  return standardisation;
}

/// T(y) of a possible outcome, to 10^-digits of the value.
Interval transformed_exactly(TargetTransform transform, const Rational& y, unsigned digits) {
  switch (transform) {
    case TargetTransform::log:
      return logarithm(y, digits);
    case TargetTransform::log1p:
      return logarithm(1 + y, digits);
    case TargetTransform::logit:
      return logarithm(y / (1 - y), digits);
    case TargetTransform::asinh:
      return inverse_hyperbolic_sine(y, digits);
    default:
      return y;
  }
}

/// T^-1(x).
Interval inverse_exactly(TargetTransform transform, const Rational& x, unsigned digits) {
  switch (transform) {
    case TargetTransform::log:
      return exponential(x, digits);
    case TargetTransform::log1p:
      return exponential(x, digits) - Interval(1);
    case TargetTransform::logit: {
      const Interval falling = exponential(-x, digits);
      return {1 / (1 + falling.upper), 1 / (1 + falling.lower)};
    }
    case TargetTransform::asinh:
      return hyperbolic_sine(x, digits);
    default:
      return x;
  }
}

/// T'(y).
Interval slope(TargetTransform transform, const Rational& y, unsigned digits) {
  switch (transform) {
    case TargetTransform::log:
      return Rational(1 / y);
    case TargetTransform::log1p:
      return Rational(1 / (1 + y));
    case TargetTransform::logit:
      return Rational(1 / (y * (1 - y)));
    case TargetTransform::asinh:
      return square_root(1 / (1 + y * y), digits);
    default:
      return Interval(1);
  }
}

Interval product(const Interval& a, const Interval& b) {  // of numbers that are not negative
  return {a.lower * b.lower, a.upper * b.upper};
}

}  // namespace

CertifiedOutcome::CertifiedOutcome(std::span<const OutputLaw<Rational>> output_laws,
                                   const OutcomeNoise& noise,
                                   const Standardisation& standardisation, const Rational& floor)
    : law_(output_laws, noise, without_transform(standardisation),
           standardisation.target_transform == TargetTransform::none ? floor : Rational(0)),
      transform_(standardisation.target_transform),
      floor_(floor) {}

bool CertifiedOutcome::possible(const Rational& y) const {
  switch (transform_) {
    case TargetTransform::log:
      return y > 0;
    case TargetTransform::log1p:
      return y > -1;
    case TargetTransform::logit:
      return y > 0 && y < 1;
    default:
      return true;
  }
}

std::optional<Interval> CertifiedOutcome::raw_moment(unsigned order, unsigned digits) const {
  const Rational n(order);
  switch (transform_) {
    case TargetTransform::log:
    case TargetTransform::log1p:
      return law_.exponential_moment(n, digits);
    case TargetTransform::asinh: {  // sinh x, and sinh^2 x = (cosh 2x - 1)/2
      const auto rising = law_.exponential_moment(n, digits),
                 falling = law_.exponential_moment(-n, digits);
      if (!rising || !falling) return {};
      if (order == 1) return (*rising - *falling) * Interval(ratio(1, 2));
      return (*rising + *falling) * Interval(ratio(1, 4)) - Interval(ratio(1, 2));
    }
    default:
      return {};
  }
}

std::optional<Interval> CertifiedOutcome::mean(unsigned digits) const {
  if (transform_ == TargetTransform::none) return law_.mean();
  for (unsigned known = digits + 2;; known *= 2) {
    std::optional<Interval> result = raw_moment(1, known);
    if (result && transform_ == TargetTransform::log1p) *result = *result - Interval(1);
    const Rational width = result ? Rational(result->upper - result->lower) : Rational(0);
    if (!result || known > 4 * digits + 100 ||
        width <= tenth_power(digits) * std::min(abs(result->lower), abs(result->upper)))
      return result;
  }
}

std::optional<Interval> CertifiedOutcome::variance(unsigned digits) const {
  if (transform_ == TargetTransform::none) return law_.variance();
  for (unsigned known = digits + 4;; known *= 2) {
    const auto first = raw_moment(1, known), second = raw_moment(2, known);
    if (!first || !second) return {};
    Interval square{first->lower * first->lower, first->upper * first->upper};
    if (first->upper <= 0) std::swap(square.lower, square.upper);
    if (first->lower < 0 && first->upper > 0) square = {0, std::max(square.lower, square.upper)};
    Interval result = *second - square;
    result.lower = std::max(result.lower, Rational(0));
    if (known > 4 * digits + 400 ||
        result.upper - result.lower <= tenth_power(digits) * result.lower)
      return result;
  }
}

Interval CertifiedOutcome::density(const Rational& y, unsigned digits) const {
  const Interval value = density_without_floor(y, digits);
  return {std::max(value.lower, floor_), std::max(value.upper, floor_)};
}

Interval CertifiedOutcome::density_without_floor(const Rational& y, unsigned digits) const {
  if (transform_ == TargetTransform::none) return law_.density(y, digits);
  if (!possible(y)) return Interval(0);
  const Rational steepness = law_.steepness();
  for (unsigned known = digits + 8; known <= most_digits; known *= 2) {
    const Interval place = transformed_exactly(transform_, y, known);
    const Interval found = law_.density(place.midpoint(), digits + 2);
    const Rational slack = steepness * (place.upper - place.lower);
    if (slack > tenth_power(digits + 1) * found.lower) continue;
    return product({std::max(Rational(found.lower - slack), Rational(0)), found.upper + slack},
                   slope(transform_, y, digits + 2));
  }
  throw GaveUp("the density is too small to have " + std::to_string(digits) + " digits");
}

std::optional<Interval> CertifiedOutcome::log_density(const Rational& y, unsigned digits) const {
  if (transform_ == TargetTransform::none) return law_.log_density(y, digits);
  if (!possible(y) && floor_ == 0) return {};
  const Interval value = density(y, digits + 1);
  return Interval(logarithm(value.lower, digits + 6).lower,
                  logarithm(value.upper, digits + 6).upper);
}

Interval CertifiedOutcome::cdf(const Rational& y, unsigned digits) const {
  if (transform_ == TargetTransform::none) return law_.cdf(y, digits);
  if (!possible(y)) return Interval(y > 0 ? 1 : 0);
  for (unsigned known = digits + 4;; known *= 2) {
    const Interval place = transformed_exactly(transform_, y, known);
    const Interval result(law_.cdf(place.lower, digits + 1).lower,
                          law_.cdf(place.upper, digits + 1).upper);
    if (result.upper - result.lower <= tenth_power(digits) || known > most_digits) return result;
  }
}

Interval CertifiedOutcome::quantile(const Rational& p, double guess, unsigned digits) const {
  if (transform_ == TargetTransform::none) return law_.quantile(p, Rational(guess), digits);
  const double place = transformed(transform_, guess);
  const Interval found =
      law_.quantile(p, std::isfinite(place) ? Rational(place) : law_.mean().midpoint(), digits);
  return {inverse_exactly(transform_, found.lower, digits + 2).lower,
          inverse_exactly(transform_, found.upper, digits + 2).upper};
}

}  // namespace wmi::bnn
