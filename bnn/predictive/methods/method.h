#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/predictive/methods/boxes.h"
#include "bnn/predictive/methods/certified_fallback.h"
#include "bnn/predictive/normal_mixture.h"

namespace wmi::bnn {

/// The moments of a law, and where its mass lies.
struct LawSummary {
  double mean = 0;
  double variance = 0;
  double inner_variance = 0;  // without the outcome's noise
  double grain = 0;           // a length below which the distribution function is smooth
  double low = 0;             // all but a negligible part of the mass lies in [low, high]
  double high = 0;
};

/// The parts of a mixture of normal laws: for quantiles, or fewer of five digits, for mean distances.
enum class NormalParts { fine, coarse };

/// How a FastLaw is computed. Each method is a class in a file of this directory; fast_law.cpp
/// chooses one.
class Method {
 public:
  explicit Method(const LawSummary& summary) : summary_(summary) {}
  virtual ~Method() = default;

  const LawSummary& summary() const { return summary_; }
  virtual bool normal() const { return false; }
  virtual bool in_doubles() const { return true; }
  /// Adds the parts of this law, with this weight together, if it is a mixture of normal laws.
  virtual bool add_normal_parts(NormalParts, double, std::vector<NormalMixture::Part>&) const {
    return false;
  }
  virtual double log_density(double y) const = 0;
  virtual double rough_density(double y) const { return std::exp(log_density(y)); }
  virtual double cdf(double y) const = 0;
  virtual double distance(double y) const = 0;
  virtual double estimated_error() const { return 0; }

 protected:
  LawSummary summary_;
};

using MethodPointer = std::shared_ptr<const Method>;
using FallbackPointer = std::shared_ptr<const CertifiedFallback>;

/// Beyond so many standard deviations of a sub-Gaussian law, the mass is below double precision.
inline constexpr double negligible = 8.6;
/// Up to so many boxes the box spline is summed.
inline constexpr std::size_t most_spline_boxes = 4;

/// All mass at the mean.
MethodPointer make_point_mass(const LawSummary& summary);
MethodPointer make_normal(const LawSummary& summary, double deviation);
/// A Fourier series for boxes and a Gaussian; null where it would be too long.
MethodPointer try_box_series(const LawSummary& summary, const BoxesAndGaussian& sum,
                             const FallbackPointer& certified);
/// A box spline for a few boxes and a Gaussian; null for more boxes, and where its terms cancel.
MethodPointer try_box_spline(const LawSummary& summary, const BoxesAndGaussian& sum,
                             const FallbackPointer& certified);
/// A Fourier series for hidden units beside boxes and a Gaussian, whose summary excludes the units;
/// or, where that does not fit, the normal law or the certified one.
MethodPointer make_units(const LawSummary& summary, const BoxesAndGaussian& sum,
                         const FallbackPointer& certified);
MethodPointer make_certified(const LawSummary& summary, const FallbackPointer& certified);
/// A normal law of this deviation and noise of Student's law.
MethodPointer make_student_noise(const LawSummary& summary, double deviation, double scale,
                                 double freedom, const FallbackPointer& certified);
/// For unknown weights of two layers.
MethodPointer make_estimated(const OutputLaw<double>& output_law, const OutcomeNoise& noise);

}  // namespace wmi::bnn
