// The certified law, rounded to doubles, where no method in doubles fits.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bnn/numeric/gauss_legendre.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {

const CertifiedLaw& CertifiedFallback::law() const {
  if (!law_) law_ = std::make_unique<const CertifiedLaw>(to_exact(output_law_), noise_);
  return *law_;
}

double CertifiedFallback::log_density(double y) const {
  const std::optional<Interval> found = law().log_density(Rational(y), 10);
  return found ? found->midpoint().get_d() : -std::numeric_limits<double>::infinity();
}

namespace {

class CertifiedMethod final : public Method {
 public:
  CertifiedMethod(const LawSummary& summary, FallbackPointer certified)
      : Method(summary), certified_(std::move(certified)) {}

  bool in_doubles() const override { return false; }
  double log_density(double y) const override { return certified_->log_density(y); }

  double cdf(double y) const override {
    return certified_->law().cdf(Rational(y), 12).midpoint().get_d();
  }

  /// The integral of the distribution function below y, and of the rest above.
  double distance(double y) const override {
    const auto& rule = GaussLegendre<24>::rule();
    const double mean = summary_.mean, spread = std::sqrt(summary_.variance);
    double below = 0;  // E(y - Y)_+
    const double from = std::max(mean - 12 * spread, summary_.low);
    if (y <= from) return mean - y;
    const double panels = std::ceil((std::min(y, mean + 12 * spread) - from) / spread);
    const double end = std::min(y, mean + 12 * spread), half = (end - from) / 2 / panels;
    for (double panel = 0; panel < panels; ++panel)
      for (std::size_t k = 0; k < rule.nodes.size(); ++k)
        below += half * rule.weights[k] * cdf(from + half * (2 * panel + 1 + rule.nodes[k]));
    below += y - end;
    return 2 * below - (y - mean);
  }

 private:
  FallbackPointer certified_;
};

}  // namespace

MethodPointer make_certified(const LawSummary& summary, const FallbackPointer& certified) {
  return std::make_shared<const CertifiedMethod>(summary, certified);
}

}  // namespace wmi::bnn
