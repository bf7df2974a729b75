#pragma once

#include <cstddef>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi {

/// f = constant + sum of factor_j * max(A_j, slope * A_j), where the A_j are normal together.
struct RectifiedNormals {
  Rational constant;
  Rational slope;  // from 0 to 1
  std::vector<Rational> factors;
  std::vector<Rational> means;
  std::vector<Rational> covariance;  // row by row
  Rational noise;                    // the deviation of a normal number that is added to f

  std::size_t size() const { return factors.size(); }
};

/// The law of f plus noise, certified: every answer is an interval that holds the true value.
///
///     // max(A, 0) for a standard normal A, and noise of deviation 1.
///     const RectifiedLaw law({0, 0, {1}, {0}, {1}, 1});
///     law.cdf(0, 9);  // 3/8
class RectifiedLaw {
 public:
  /// Throws Error unless the covariance is positive definite.
  explicit RectifiedLaw(RectifiedNormals units);

  /// To 10^-digits of the deviation.
  Interval mean(unsigned digits) const;
  /// To 10^-digits of the sum of the units' variances, the noise included.
  Interval variance(unsigned digits) const;
  /// To 10^-digits of the value, or of its logarithm. There must be noise.
  Interval density(const Rational& y, unsigned digits) const;
  Interval log_density(const Rational& y, unsigned digits) const;
  /// P(f + noise <= y), to 10^-digits.
  Interval cdf(const Rational& y, unsigned digits) const;
  /// The mean of 1/(1 + e^-f) or, for -1, of 1/(1 + e^f): to 10^-digits of the value. Without noise.
  Interval mean_sigmoid(int sign, unsigned digits) const;

 private:
  RectifiedNormals units_;
};

}  // namespace wmi
