#pragma once

#include <memory>

#include "solver/laws/rounded_normal.h"
#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi {

struct StudentRule;

/// The law of mean + deviation N + scale T for independent N and T, N standard normal and T of
/// Student's t law: what a normal law of the prediction and the noise of Student's law make of an
/// outcome. Every answer is an interval that holds the true value.
///
///     const StudentNormal law(0, 0.5, 1, 4);
///     law.cdf(3, 12);           // P(X <= 3)
///     law.log_density(1e6, 9);  // far in the tail, too
class StudentNormal {
 public:
  /// Throws Error unless deviation >= 0, scale > 0, and freedom is from 1 to 1000. The three are
  /// doubles, taken as the numbers they are.
  StudentNormal(Rational mean, double deviation, double scale, double freedom);

  const Rational& mean() const { return mean_; }
  /// Throws Error unless there are more than two degrees of freedom.
  Rational variance() const;

  /// In doubles, at x + mean where x may have a relative error of 2^-52; for many evaluations.
  RoundedValue rounded_cdf(double x) const;
  RoundedValue rounded_density(double x) const;
  /// To 10^-digits of the value.
  Interval density(const Rational& x, unsigned digits) const;
  /// To 10^-digits.
  Interval log_density(const Rational& x, unsigned digits) const;
  /// P(X <= x), to 10^-digits.
  Interval cdf(const Rational& x, unsigned digits) const;

 private:
  Rational mean_;
  double deviation_;
  double scale_;
  double freedom_;
  std::shared_ptr<const StudentRule> rule_;
};

}  // namespace wmi
