#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/data/dataset.h"
#include "bnn/predictive/certified_law.h"
#include "solver/terms/interval.h"

namespace wmi::bnn {

/// The law of an outcome as the mixture of collapsed samples, certified, in the outcome's own
/// units: intervals that hold the true value for these output laws.
class CertifiedPredictive {
 public:
  /// Densities count as at least `floor`, in the outcome's own units; 0: no floor.
  CertifiedPredictive(std::span<const OutputLaw<Rational>> output_laws, const OutcomeNoise& noise,
                      const Standardisation& standardisation, Rational floor = 0);

  /// Exact, but for the laws of normal hidden weights (see CertifiedLaw).
  Interval mean() const;
  const Interval& variance() const { return variance_; }
  /// E[e^(t outcome)], to 10^-digits of the value; nothing where it has no closed form.
  std::optional<Interval> exponential_moment(const Rational& t, unsigned digits) const;
  /// The slope of the density is nowhere larger. Throws Error without noise.
  Rational steepness() const;
  /// To 10^-digits of the value.
  Interval density(const Rational& y, unsigned digits) const;
  /// To 10^-digits, however far out; nothing where the density is 0.
  std::optional<Interval> log_density(const Rational& y, unsigned digits) const;
  /// P(outcome <= y), to 10^-digits.
  Interval cdf(const Rational& y, unsigned digits) const;
  /// An interval in which the distribution function certainly passes p, of a width of some 10^-digits
  /// standard deviations; wider only where the distribution function is flat. A guess that has nine
  /// digits makes it quick.
  Interval quantile(const Rational& p, const Rational& guess, unsigned digits) const;

 private:
  /// The same by bisection, from no guess.
  Interval bisected_quantile(const Rational& p, const Rational& width, const Rational& deviation,
                             unsigned digits) const;
  Interval density_without_floor(const Rational& y, unsigned digits) const;
  std::optional<Interval> log_density_without_floor(const Rational& y, unsigned digits) const;
  Interval find_variance() const;
  /// The weighted mean of what each law gives in doubles, if the error is at most `wanted`, or with
  /// `relative` that much of the value.
  std::optional<Interval> rounded_mean(std::optional<RoundedValue> (CertifiedLaw::*of)(
                                           const RoundedValue&) const,
                                       const Rational& x, double wanted, bool relative) const;
  Rational to_standard(const Rational& y) const { return (y - mean_) / scale_; }

  /// The weighted mean of a number of each law.
  template <class Number, class Of>
  Number mean_over_laws(const Of& of) const {
    Number sum(0);
    for (std::size_t i = 0; i < laws_.size(); ++i) sum += of(laws_[i]) * Number(weights_[i]);
    return sum;
  }

  std::vector<CertifiedLaw> laws_;
  std::vector<Rational> weights_;  // of sum 1
  std::vector<double> rounded_weights_;
  Rational mean_;                  // of the targets
  Rational scale_;                 // likewise
  Rational floor_;
  Interval variance_;
};

}  // namespace wmi::bnn
