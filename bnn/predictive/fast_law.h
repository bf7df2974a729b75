#pragma once

#include <memory>
#include <vector>

#include "bnn/collapse/output_law.h"

namespace wmi::bnn {

class CertifiedLaw;
class EstimatedLaw;

/// E|X| of a normal X.
double normal_distance(double mean, double deviation);

/// The law of the outcome that one collapsed sample predicts, in doubles: prepared once, then asked
/// at any number of places.
///
/// Not certified: distribution functions are right to about 1e-10, log densities to about 1e-8
/// however far out they are, which tests compare with `CertifiedLaw`. Where doubles cannot do it
/// (a few wide boxes cancel, tails of bounded support), that is asked instead.
class FastLaw {
 public:
  FastLaw(const OutputLaw<double>& component, const OutcomeNoise& noise);

  double mean() const { return mean_; }
  double variance() const { return variance_; }
  /// The variance without the outcome's noise: what the collapsed weights make.
  double inner_variance() const { return inner_variance_; }
  /// A Gaussian and nothing else.
  bool normal() const { return way_ == Way::gaussian; }
  /// Minus infinity where there is no mass.
  double log_density(double y) const;
  double density(double y) const;
  /// The density to about 1e-15 of its largest value: quicker in the tails, where it is not
  /// relatively right.
  double rough_density(double y) const;
  /// P(Y <= y).
  double cdf(double y) const;
  /// E|Y - y|.
  double distance(double y) const;
  /// A length below which the distribution function is smooth.
  double grain() const { return grain_; }
  /// All but a negligible part of the mass lies in [low(), high()].
  double low() const { return low_; }
  double high() const { return high_; }
  /// An estimate of the error of the distribution function, where weights of two layers are unknown
  /// (see EstimatedLaw); else 0.
  double estimated_error() const;

 private:
  /// How it is computed; fast_law.cpp says more.
  enum class Way { point, gaussian, series, corners, certified, estimated };

  bool make_series();
  bool make_corners();
  void make_units(const OutputLaw<double>& component);

  double series_density(double x) const;
  double tilted_log_density(double x) const;
  double tail_of_units(double y) const;
  double certified_log_density(double y) const;
  const CertifiedLaw& certified() const;

  Way way_ = Way::point;
  double mean_ = 0;
  double variance_ = 0;
  double inner_variance_ = 0;
  double grain_ = 0;
  double low_ = 0;
  double high_ = 0;

  double gaussian_ = 0;              // the standard deviation of the Gaussian part
  std::vector<double> half_widths_;  // of the boxes, the widest first, none 0

  double period_ = 0;
  double frequency_ = 0;
  std::vector<double> real_;       // the Fourier coefficients, from 1 on, about the mean
  std::vector<double> imaginary_;  // empty for a symmetric law
  double offset_ = 0;              // what makes the distribution function 0 at the left end
  double distance_ = 0;            // what makes E|Y - y| right at the left end

  std::shared_ptr<const EstimatedLaw> estimated_;

  struct Origin;
  std::shared_ptr<const Origin> origin_;  // what it is the law of
};

}  // namespace wmi::bnn
