#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "solver/laws/independent_sums/boxes.h"

namespace wmi {

/// The parameters of a tilted Fourier inversion (see tilted.h): the tilt, the period and the number
/// of coefficients for a relative error of about 2^-bits, with proven bounds on aliasing and
/// truncation.
class TiltPlan {
 public:
  /// For x >= 0 and a law that is not a point.
  TiltPlan(const Boxes& law, unsigned order, const Rational& x, long bits);

  /// Whether x is at or beyond the end of the support, so that the integral is 0.
  bool beyond() const { return beyond_; }
  double tilt() const { return tilt_; }
  double period() const { return period_; }
  /// Infinite if the series does not converge in practice.
  double length() const { return length_; }
  /// Bounds on aliasing and truncation, relative to M(t) e^(-tx) / t^n.
  double log_alias() const { return log_alias_; }
  double log_rest() const { return log_rest_; }
  /// At least |t + iu| for all frequencies u of the series.
  double largest_argument() const {
    return (tilt_ + 2 * std::numbers::pi / period_ * length_) * (1 + 1e-9);
  }
  /// A bound on the size of angles and exponents.
  double largest_angle() const {
    return largest_argument() * (2 * reach_ + std::abs(gap_) + sigma_ * sigma_ * tilt_);
  }

 private:
  void find_saddlepoint(double spread);
  double log_constant(double s) const;
  double log_alias_at(double s) const;
  void find_period(double wanted);
  double log_envelope(double u) const;
  double ratio(double u) const;
  double log_rest(double n) const;
  void find_length(double wanted);

  /// The parts of the square of a box's factor: a^2, q^2 and (a coth a)^2, with a = ht.
  struct Factor {
    double tilt;
    double fall;
    double top;
  };

  unsigned order_;
  double count_;
  double reach_;
  double sigma_;
  double gap_;  // reach - x
  bool beyond_;
  std::vector<double> widths_;
  std::vector<unsigned> counts_;
  std::vector<Factor> factors_;
  double log_end_ = 0;  // t reach - K(t), of the boxes
  double tilt_ = 0;
  bool found_ = false;  // the saddlepoint, to a part of the spread
  double spread_ = 0;
  double period_ = 0;
  double length_ = 0;
  double log_alias_ = -std::numeric_limits<double>::infinity();
  double log_rest_ = -std::numeric_limits<double>::infinity();
};

/// A fast upper bound on the natural logarithm of the tail integral at x >= 0.
double log_tail_bound(const Boxes& law, unsigned order, const Rational& x);

}  // namespace wmi
