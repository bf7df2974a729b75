#pragma once

#include <memory>
#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/predictive/normal_mixture.h"

namespace wmi::bnn {

class Method;

/// E|X| of a normal X.
double normal_distance(double mean, double deviation);

/// The law of the outcome that one collapsed sample predicts, in doubles: prepared once, then
/// evaluated at any number of points.
///
/// Not certified: distribution functions are right to about 1e-10, log densities to about 1e-8
/// however far out they are, which tests compare with `CertifiedLaw`. Where doubles cannot do it (a
/// few wide boxes cancel, tails of bounded support), the certified law is used instead.
///
///     // 0.5 + a uniform weight on [-1, 1], and Gaussian noise of deviation 0.1.
///     const OutputLaw<double> output{0.5, {{1, -1, 1, 1}}, 0, {}, 0.1};
///     const FastLaw law(output, {});
///     law.cdf(0.5);  // 0.5
class FastLaw {
 public:
  FastLaw(const OutputLaw<double>& output_law, const OutcomeNoise& noise);

  double mean() const;
  double variance() const;
  /// The variance without the outcome's noise: that of the collapsed weights.
  double inner_variance() const;
  /// True for a Gaussian and nothing else.
  bool normal() const;
  /// False if each value is a certified one, which takes long.
  bool in_doubles() const;
  /// Adds the parts of this law, with this weight together, if it is a mixture of normal laws; of
  /// Student's law fewer ones of five digits if they may be coarse. Else false.
  bool add_normal_parts(bool coarse, double weight, std::vector<NormalMixture::Part>& parts) const;
  /// Minus infinity where there is no mass.
  double log_density(double y) const;
  double density(double y) const;
  /// The density to about 1e-15 of its largest value: absolute accuracy only, but quick in the
  /// tails.
  double rough_density(double y) const;
  /// P(Y <= y).
  double cdf(double y) const;
  /// E|Y - y|.
  double distance(double y) const;
  /// A length below which the distribution function is smooth.
  double grain() const;
  /// All but a negligible part of the mass lies in [low(), high()].
  double low() const;
  double high() const;
  /// An estimate of the error of the distribution function, where weights of two layers are unknown
  /// (see EstimatedLaw); else 0.
  double estimated_error() const;

 private:
  std::shared_ptr<const Method> method_;
};

}  // namespace wmi::bnn
