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
struct Term {
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

/// What the digits of an answer are relative to.
enum class Relative {
  to_maximum,  ///< the density's maximum, or 1 for a probability: fast, and enough for plots
  to_value     ///< the value itself, however small: for likelihoods and tails
};

/// The law of c + a_1 U_1 + ... + a_n U_n + noise, all independent: its whole law, exactly.
///
/// Moments are exact; everything else is an interval that certainly holds the true value, and whose
/// width is at most 10^-digits of what the digits are relative to. A few terms or thousands, of any
/// widths; no step grows with 2^n unless that is the shortest way.
///
///     const IndependentSum sum(0, {{1, 0, 1}, {ratio(1, 2), -1, 1}},
///                              Noise::gaussian(ratio(1, 10)));
///     sum.mean();                               // 1/2
///     sum.density(ratio(1, 3), 12);             // to 12 digits of the maximum
///     sum.density(40, 12, Relative::to_value);  // to 12 digits of itself
///     sum.log_density(4000, 12);
class IndependentSum {
 public:
  /// Throws Error when an interval is empty, an order is 0 or the noise's scale negative.
  IndependentSum(const Rational& constant, const std::vector<Term>& terms,
                 const Noise& noise = Noise::none());
  IndependentSum(const IndependentSum&);
  IndependentSum(IndependentSum&&) noexcept;
  IndependentSum& operator=(const IndependentSum&);
  IndependentSum& operator=(IndependentSum&&) noexcept;
  ~IndependentSum();

  /// Nothing is random: all mass lies at the mean.
  bool is_point() const;
  /// The closed interval that holds all mass; nothing when it is the whole line.
  std::optional<Interval> support() const;

  const Rational& mean() const;
  /// The law about the mean, as what it is made of.
  Boxes about_mean() const;
  Rational variance() const;
  /// E[S^k].
  Rational raw_moment(unsigned k) const;
  /// E[(S - mean)^k].
  Rational central_moment(unsigned k) const;

  /// Throws Error for a point mass. A lone uniform has its density at its ends too. What is smaller
  /// than 2^-100000 has no digits, only a bound: its logarithm has.
  Interval density(const Rational& s, unsigned digits, Relative = Relative::to_maximum) const;
  /// The natural logarithm, to an absolute error of 10^-digits. Throws Error where the density is
  /// 0.
  Interval log_density(const Rational& s, unsigned digits) const;
  /// P(S <= s).
  Interval cdf(const Rational& s, unsigned digits, Relative = Relative::to_maximum) const;
  /// P(S > s), which for large s is small and has digits of its own.
  Interval survival(const Rational& s, unsigned digits, Relative = Relative::to_maximum) const;
  /// Where the cdf is p: to 10^-digits of the standard deviation. The ends of the support for 0 and
  /// 1; throws Error when there are none, or p is not a probability.
  Interval quantile(const Rational& p, unsigned digits) const;

 private:
  struct Law;
  std::unique_ptr<const Law> law_;
};

}  // namespace wmi
