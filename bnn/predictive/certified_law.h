#pragma once

#include <optional>

#include "bnn/collapse/output_law.h"
#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/law.h"
#include "solver/laws/rounded_normal.h"
#include "solver/laws/student_normal.h"
#include "solver/smooth/rectified_normals.h"
#include "solver/terms/interval.h"

namespace wmi::bnn {

/// The law of max(A, slope * A) * factor for A = constant + terms, exactly: an atom where a ReLU is
/// dead, and polynomial pieces.
Law law_of(const Unit<Rational>& unit);

/// The same law in exact numbers.
OutputLaw<Rational> to_exact(const OutputLaw<double>& output_law);

/// The law of f = constant + terms + units, exactly. It must have no Gaussian part.
Law law_of(const OutputLaw<Rational>& output_law);

/// A number rounded to a double, with a bound on the error.
RoundedValue rounded(const Rational& value);

/// Throws Error, with what would help, unless f is normal: noise of Student's law is added to that.
void check_student(bool normal);
/// The law of constant + joint units + noise; other parts throw Error.
RectifiedLaw rectified_law_of(const OutputLaw<Rational>& output_law);

/// The law of the outcome that one collapsed sample predicts, certified: every answer is an
/// interval that holds the true value, exact where its ends meet.
class CertifiedLaw {
 public:
  CertifiedLaw(const OutputLaw<Rational>& output_law, const OutcomeNoise& noise);

  /// Exact, but for units that are normal together: those have means of 30 digits and variances of 12.
  const Interval& mean() const { return mean_; }
  Interval variance() const;
  /// E[e^(tY)], to 10^-digits of the value, for sums of boxes and a normal law; else nothing.
  std::optional<Interval> exponential_moment(const Rational& t, unsigned digits) const;
  /// The slope of the density is nowhere larger: that of the noise is not. Throws Error without
  /// noise.
  Rational steepness() const;
  /// To 10^-digits of the value, or of the maximum.
  Interval density(const Rational& y, unsigned digits, Relative relative) const;
  /// To 10^-digits. Nothing where the density is 0.
  std::optional<Interval> log_density(const Rational& y, unsigned digits) const;
  /// P(Y <= y) and the density in doubles with bounds on their errors, at a y with this error; for a
  /// normal law, and one with noise of Student's law. Else nothing.
  std::optional<RoundedValue> rounded_cdf(const RoundedValue& y) const;
  std::optional<RoundedValue> rounded_density(const RoundedValue& y) const;
  /// P(Y <= y), to 10^-digits.
  Interval cdf(const Rational& y, unsigned digits) const;

 private:
  Interval mean_;
  std::optional<IndependentSum> sum_;      // where no unit is unknown
  std::optional<RectifiedLaw> rectified_;  // where units are normal together
  std::optional<StudentNormal> student_;   // where the noise is Student's
  Law law_;                                // otherwise: of f, or of the outcome when `noise_` is 0
  Rational noise_;
  double normal_ = 0;  // the deviation, of a normal law
  RoundedValue centre_;
  double noise_width_ = 0;  // of the outcome: a deviation, radius or scale
};

}  // namespace wmi::bnn
