#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi {

struct Boxes;

/// One term of a sum: coefficient * U, where U has a B-spline law on [from, to].
///
/// Order 1 is uniform, order 2 triangular, order m the law of the sum of m equal uniforms.
struct SumTerm {
  Rational coefficient;
  Rational from;
  Rational to;
  unsigned order = 1;
};

/// Independent noise around 0 that is added to a sum: a likelihood's kernel.
class Noise {
 public:
  enum class Kind { none, uniform, triangular, gaussian };

  static Noise none() { return {Kind::none, 0}; }
  /// On [-radius, radius].
  static Noise uniform(const Rational& radius) { return {Kind::uniform, radius}; }
  static Noise triangular(const Rational& radius) { return {Kind::triangular, radius}; }
  static Noise gaussian(const Rational& sigma) { return {Kind::gaussian, sigma}; }

  Kind kind() const { return kind_; }
  const Rational& scale() const { return scale_; }

 private:
  Noise(Kind kind, const Rational& scale) : kind_(kind), scale_(scale) {}
  Kind kind_;
  Rational scale_;
};

/// What the accuracy of an answer is relative to.
enum class Relative {
  to_maximum,  ///< the density's maximum, or 1 for a probability: fast, and enough for plots
  to_value     ///< the value itself, however small: for likelihoods and tails
};

/// The law of c + a_1 U_1 + ... + a_n U_n + noise, all independent.
///
/// Moments are exact; everything else is an interval that contains the true value, and whose width
/// is at most 10^-digits relative to the maximum or to the value. There may be a few terms or
/// thousands, of any widths; the cost grows with 2^n only for small n.
///
///     const std::vector<SumTerm> terms{{1, 0, 1}, {ratio(1, 2), -1, 1}};
///     const IndependentSum sum(0, terms, Noise::gaussian(ratio(1, 10)));
///     sum.mean();                               // 1/2
///     sum.density(ratio(1, 3), 12);             // to 12 digits of the maximum
///     sum.density(40, 12, Relative::to_value);  // to 12 digits of the value
///     sum.log_density(4000, 12);                // its logarithm, far in the tail
class IndependentSum {
 public:
  /// Throws Error if an interval is empty, an order is 0, or the noise's scale is negative.
  IndependentSum(const Rational& constant, const std::vector<SumTerm>& terms,
                 const Noise& noise = Noise::none());
  IndependentSum(const IndependentSum&);
  IndependentSum(IndependentSum&&) noexcept;
  IndependentSum& operator=(const IndependentSum&);
  IndependentSum& operator=(IndependentSum&&) noexcept;
  ~IndependentSum();

  /// Whether all mass is at the mean.
  bool is_point() const;
  /// The smallest closed interval with all mass; nullopt if it is the whole line.
  std::optional<Interval> support() const;

  const Rational& mean() const;
  /// The components of the law about the mean.
  Boxes about_mean() const;
  Rational variance() const;
  /// E[S^k].
  Rational raw_moment(unsigned k) const;
  /// E[(S - mean)^k].
  Rational central_moment(unsigned k) const;

  /// Throws Error for a point mass. The density of a single uniform includes its ends. A value
  /// below 2^-100000 is only bounded by that; see `log_density`.
  Interval density(const Rational& s, unsigned digits, Relative = Relative::to_maximum) const;
  /// The natural logarithm, to an absolute error of 10^-digits. Throws Error if the density is 0.
  Interval log_density(const Rational& s, unsigned digits) const;
  /// P(S <= s).
  Interval cdf(const Rational& s, unsigned digits, Relative = Relative::to_maximum) const;
  /// P(S > s), with relative accuracy also for large s.
  Interval survival(const Rational& s, unsigned digits, Relative = Relative::to_maximum) const;
  /// The p-quantile, to 10^-digits of the standard deviation; the ends of the support for 0 and 1.
  /// Throws Error if these are infinite, or p is not a probability.
  Interval quantile(const Rational& p, unsigned digits) const;

 private:
  struct Law;
  std::unique_ptr<const Law> law_;
};

}  // namespace wmi
