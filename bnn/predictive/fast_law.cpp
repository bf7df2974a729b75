// The law of constant + boxes + Gaussian + units in doubles, by the first method that fits:
//
//   - a normal law or a point mass, without boxes and units (methods/closed_forms.cpp);
//   - a Fourier series of the law of boxes and a Gaussian (methods/box_series.cpp);
//   - a box spline for few boxes, wide against the Gaussian (methods/box_spline_method.cpp);
//   - a Fourier series of the law with units (methods/unit_series.cpp);
//   - the certified law, where doubles cannot do it (methods/certified_method.cpp);
//   - a mixture of normal laws, with noise of Student's law (methods/student.cpp);
//   - an estimate, where weights of two layers are unknown (estimated_law.cpp).

#include "bnn/predictive/fast_law.h"

#include <algorithm>
#include <cmath>

#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

MethodPointer choose_student(const OutputLaw<double>& output_law, const OutcomeNoise& noise) {
  check_student(output_law.terms.empty() && output_law.units.empty() &&
                output_law.joint.empty());
  const double inner = output_law.deviation * output_law.deviation;
  const double outer = output_law.noise * output_law.noise;
  const double variance = inner + outer * noise.freedom / (noise.freedom - 2);
  const double spread = std::sqrt(variance);
  // Its tails fall so slowly that these ends are of use for pictures alone.
  const LawSummary summary{.mean = output_law.constant,
                           .variance = variance,
                           .inner_variance = inner,
                           .grain = std::sqrt(inner + outer / 2),
                           .low = output_law.constant - 100 * spread,
                           .high = output_law.constant + 100 * spread};
  return make_student_noise(summary, output_law.deviation, output_law.noise, noise.freedom,
                            std::make_shared<const CertifiedFallback>(output_law, noise));
}

MethodPointer choose_method(const OutputLaw<double>& output_law, const OutcomeNoise& noise) {
  if (output_law.estimated) return make_estimated(output_law, noise);
  const bool triangular = noise.kind == OutcomeNoise::Kind::triangular;
  if (noise.kind == OutcomeNoise::Kind::student) return choose_student(output_law, noise);
  const double radius = noise.alpha * output_law.noise;
  LawSummary summary;
  BoxesAndGaussian sum;
  summary.mean = output_law.constant;
  add_boxes(output_law.terms, sum.half_widths, summary.mean, summary.inner_variance);
  summary.inner_variance += output_law.deviation * output_law.deviation;
  summary.variance = summary.inner_variance +
                     (triangular ? radius * radius / 6 : output_law.noise * output_law.noise);
  sum.gaussian =
      triangular ? output_law.deviation : std::hypot(output_law.deviation, output_law.noise);
  if (triangular && radius > 0) sum.half_widths.insert(sum.half_widths.end(), 2, radius / 2);
  FallbackPointer certified;
  const bool units = !output_law.units.empty() || !output_law.joint.empty();
  if (units || !sum.half_widths.empty())
    certified = std::make_shared<const CertifiedFallback>(output_law, noise);
  if (units) return make_units(summary, sum, certified);

  const double spread = std::sqrt(summary.variance);
  summary.grain = sum.gaussian > 0 ? sum.gaussian : spread / 64;
  summary.low = summary.mean - negligible * spread;
  summary.high = summary.mean + negligible * spread;
  // Boxes too narrow to change a double are left out.
  std::erase_if(sum.half_widths, [&](double half) { return half < 1e-11 * spread; });
  if (spread == 0) return make_point_mass(summary);
  if (sum.half_widths.empty()) return make_normal(summary, sum.gaussian);
  if (MethodPointer series = try_box_series(summary, sum, certified)) return series;
  if (sum.half_widths.size() <= most_spline_boxes) {
    const double reach = sum.reach(negligible * sum.gaussian);
    summary.low = std::max(summary.low, summary.mean - reach);
    summary.high = std::min(summary.high, summary.mean + reach);
  }
  if (MethodPointer spline = try_box_spline(summary, sum, certified)) return spline;
  return make_certified(summary, certified);
}

}  // namespace

FastLaw::FastLaw(const OutputLaw<double>& output_law, const OutcomeNoise& noise)
    : method_(choose_method(output_law, noise)) {}

double FastLaw::mean() const { return method_->summary().mean; }
double FastLaw::variance() const { return method_->summary().variance; }
double FastLaw::inner_variance() const { return method_->summary().inner_variance; }
bool FastLaw::normal() const { return method_->normal(); }
bool FastLaw::in_doubles() const { return method_->in_doubles(); }
bool FastLaw::add_normal_parts(bool coarse, double weight,
                               std::vector<NormalMixture::Part>& parts) const {
  return method_->add_normal_parts(coarse ? NormalParts::coarse : NormalParts::fine, weight, parts);
}
double FastLaw::log_density(double y) const { return method_->log_density(y); }
double FastLaw::density(double y) const { return std::exp(log_density(y)); }
double FastLaw::rough_density(double y) const { return method_->rough_density(y); }
double FastLaw::cdf(double y) const { return method_->cdf(y); }
double FastLaw::distance(double y) const { return method_->distance(y); }
double FastLaw::grain() const { return method_->summary().grain; }
double FastLaw::low() const { return method_->summary().low; }
double FastLaw::high() const { return method_->summary().high; }
double FastLaw::estimated_error() const { return method_->estimated_error(); }

}  // namespace wmi::bnn
