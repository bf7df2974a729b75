// Few boxes that are wide against the Gaussian, where a Fourier series would be long: the n-fold
// difference over the corners of the box of i_k(z) = E[(z - G)_+^k] / k!
// (bnn/numeric/box_spline.h), taken in the lower tail, where every i_k is computed without
// cancellation. Cancellation between corners is detected; such values come from the certified law.

#include <algorithm>
#include <cmath>
#include <limits>

#include "bnn/numeric/box_spline.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

class BoxSplineMethod final : public Method {
 public:
  BoxSplineMethod(const LawSummary& summary, const BoxesAndGaussian& sum, FallbackPointer certified)
      : Method(summary), sum_(sum), certified_(std::move(certified)) {}

  double log_density(double y) const override {
    double size = 0;
    const double density = spline(0, -std::abs(y - summary_.mean), size);
    if (density > 1e-6 * size) return std::log(density);
    if (size == 0 && sum_.gaussian == 0) return -std::numeric_limits<double>::infinity();
    return certified_->log_density(y);
  }

  double cdf(double y) const override {
    const double x = y - summary_.mean;
    double size = 0;
    const double tail = spline(1, -std::abs(x), size);
    return std::clamp(x < 0 ? tail : 1 - tail, 0.0, 1.0);
  }

  double distance(double y) const override {
    const double x = y - summary_.mean;
    double size = 0;
    return std::abs(x) + 2 * spline(2, -std::abs(x), size);
  }

 private:
  double spline(int order, double x, double& size) const {
    return box_spline(sum_.half_widths.data(), sum_.half_widths.size(), sum_.gaussian, order, x,
                      size);
  }

  BoxesAndGaussian sum_;
  FallbackPointer certified_;
};

}  // namespace

MethodPointer try_box_spline(const LawSummary& summary, const BoxesAndGaussian& sum,
                             const FallbackPointer& certified) {
  if (sum.half_widths.size() > most_spline_boxes) return nullptr;
  double size = 0;
  const double middle =
      box_spline(sum.half_widths.data(), sum.half_widths.size(), sum.gaussian, 0, 0, size);
  if (!(size * 1e-15 < 1e-9 * middle)) return nullptr;
  return std::make_shared<const BoxSplineMethod>(summary, sum, certified);
}

}  // namespace wmi::bnn
