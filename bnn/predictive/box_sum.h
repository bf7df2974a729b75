#pragma once

#include <cstddef>
#include <vector>

namespace wmi::bnn {

/// The law of a sum of centred boxes: its density and distribution function in doubles.
///
/// For up to four boxes a box spline, and for up to eight where the next is slow; for more a
/// Fourier series, whose coefficients fall like the product of 1/(mwh); where that is slow there
/// are a few wide boxes and very narrow ones, and the narrow ones are replaced by a Gaussian of
/// their variance, which errs by their fourth cumulants.
class BoxSum {
 public:
  /// The widest box first; the vector must outlive this. `grain`: a length below which the
  /// functions that are averaged over the law are smooth.
  BoxSum(const std::vector<double>& half_widths, double grain);

  /// The law lies in [-reach(), reach()].
  double reach() const { return reach_; }
  /// An estimate of the error of averages over the law.
  double error() const { return error_; }
  /// The highest frequency of the density, halved; 0 for a box spline.
  double bandwidth() const { return frequency_ * static_cast<double>(coefficients_.size()) / 2; }

  double density(double x) const;
  double cdf(double x) const;
  /// Points where the density is not smooth, or nearly so, in no order.
  std::vector<double> knots() const;

 private:
  /// A spline of so many boxes, and the others as a Gaussian. Returns the error.
  double keep(std::size_t count);
  bool make_series(std::size_t limit);
  template <class Visit>
  void turn(double x, const Visit& visit) const;

  const std::vector<double>& half_widths_;
  double grain_;
  double reach_ = 0;
  double error_ = 0;
  std::size_t kept_ = 0;
  double gaussian_ = 0;
  double frequency_ = 0;
  std::vector<double> coefficients_;  // empty: a spline
};

/// The sum of half widths.
double reach_of(const std::vector<double>& half_widths);

}  // namespace wmi::bnn
