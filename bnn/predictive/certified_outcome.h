#pragma once

#include <optional>
#include <span>

#include "bnn/predictive/certified_predictive.h"
#include "solver/terms/interval.h"

namespace wmi::bnn {

/// The certified law of an outcome whose transform has a certified law (CertifiedPredictive), by the
/// change of variables: with an increasing T,
///
///     P(Y <= y) = F(T(y)),     p(y) = f(T(y)) T'(y),     and quantiles are T^-1 of quantiles.
///
/// Without a transform it is that law.
class CertifiedOutcome {
 public:
  /// Densities count as at least `floor`, in the outcome's own units; 0: no floor.
  CertifiedOutcome(std::span<const OutputLaw<Rational>> output_laws, const OutcomeNoise& noise,
                   const Standardisation& standardisation, const Rational& floor = 0);

  /// To 10^-digits of the value, exact without a transform. Nothing where there is no closed form:
  /// under `logit`, and under other transforms of units that are unknown.
  std::optional<Interval> mean(unsigned digits) const;
  std::optional<Interval> variance(unsigned digits) const;
  /// To 10^-digits of the value.
  Interval density(const Rational& y, unsigned digits) const;
  /// To 10^-digits; nothing where the density is 0.
  std::optional<Interval> log_density(const Rational& y, unsigned digits) const;
  /// P(outcome <= y), to 10^-digits.
  Interval cdf(const Rational& y, unsigned digits) const;
  /// As CertifiedPredictive's, whose digits are those of the transformed outcome.
  Interval quantile(const Rational& p, double guess, unsigned digits) const;

 private:
  bool possible(const Rational& y) const;
  Interval density_without_floor(const Rational& y, unsigned digits) const;
  /// E[Y + shift] or E[(Y + shift)^2], with a shift that has no influence on the variance.
  std::optional<Interval> raw_moment(unsigned order, unsigned digits) const;

  CertifiedPredictive law_;
  TargetTransform transform_;
  Rational floor_;
};

}  // namespace wmi::bnn
