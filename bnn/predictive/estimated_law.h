#pragma once

#include <cstddef>
#include <vector>

#include "bnn/collapse/output_law.h"

namespace wmi::bnn {

/// The law of an outcome where weights of two layers are unknown:
///
///     f = constant + terms + sum over units of V max(A, slope * A),
///
/// V uniform, A a sum of boxes, all independent, plus Gaussian noise. In doubles, with an estimate
/// of the error that is not a bound; estimated_law.cpp has the method.
class EstimatedLaw {
 public:
  /// Throws Error for a likelihood that is not Gaussian.
  EstimatedLaw(const OutputLaw<double>& output_law, const OutcomeNoise& noise);

  double mean() const { return mean_; }
  double variance() const { return inner_variance_ + noise_ * noise_; }
  double inner_variance() const { return inner_variance_; }
  double log_density(double y) const;
  /// P(Y <= y).
  double cdf(double y) const;
  /// E|Y - y|.
  double distance(double y) const;
  double grain() const { return gaussian_; }
  double low() const { return mean_ + left_; }
  double high() const { return mean_ + left_ + period_; }
  /// Of the distribution function.
  double error() const { return error_; }

 private:
  /// The contribution of a unit: R = max(A, slope * A) as points and masses, times V.
  struct Factor {
    double centre = 0;
    double half_width = 0;
    double mean = 0;  // of V R
    std::vector<double> points;
    std::vector<double> masses;
  };
  /// K(t) = log E e^(t (Y - mean)) and its derivatives.
  struct Cumulant {
    double value = 0;
    double first = 0;
    double second = 0;
  };

  double make_factors(double highest, std::vector<Factor>& factors) const;
  Cumulant cumulant(double t, const std::vector<Factor>& factors) const;
  void make_series(const std::vector<Factor>& factors);
  double tilted_log_density(double x) const;

  double noise_ = 0;
  double gaussian_ = 0;
  std::vector<double> half_widths_;  // of boxes
  std::vector<Unit<double>> units_;
  std::vector<Factor> factors_;
  double mean_ = 0;
  double inner_variance_ = 0;
  double error_ = 0;

  double left_ = 0;  // from the mean
  double period_ = 0;
  double frequency_ = 0;
  std::vector<double> real_, imaginary_;  // Fourier coefficients, from 1 on, about the mean
  double offset_ = 0;
  double distance_ = 0;
};

}  // namespace wmi::bnn
