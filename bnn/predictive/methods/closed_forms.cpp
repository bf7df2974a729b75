// Laws with closed forms: a point mass and a normal law.

#include <cmath>
#include <limits>

#include "bnn/numeric/box_spline.h"
#include "bnn/predictive/fast_law.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

class PointMass final : public Method {
 public:
  using Method::Method;

  double log_density(double y) const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return y - summary_.mean == 0 ? infinity : -infinity;
  }
  double cdf(double y) const override { return y - summary_.mean >= 0 ? 1 : 0; }
  double distance(double y) const override { return std::abs(y - summary_.mean); }
};

class NormalLaw final : public Method {
 public:
  NormalLaw(const LawSummary& summary, double deviation) : Method(summary), deviation_(deviation) {}

  bool normal() const override { return true; }
  bool add_normal_parts(NormalParts, double weight,
                        std::vector<NormalMixture::Part>& parts) const override {
    parts.push_back({summary_.mean, std::sqrt(summary_.variance), weight});
    return true;
  }
  double log_density(double y) const override {
    return normal_log_density((y - summary_.mean) / deviation_) - std::log(deviation_);
  }
  double cdf(double y) const override { return normal_cdf((y - summary_.mean) / deviation_); }
  double distance(double y) const override {
    return normal_distance(y - summary_.mean, deviation_);
  }

 private:
  double deviation_;
};

}  // namespace

double normal_distance(double mean, double deviation) {
  if (deviation == 0) return std::abs(mean);
  const double z = mean / deviation;
  return deviation * (z * (2 * normal_cdf(z) - 1) + 2 * normal_density(z));
}

MethodPointer make_point_mass(const LawSummary& summary) {
  return std::make_shared<const PointMass>(summary);
}

MethodPointer make_normal(const LawSummary& summary, double deviation) {
  return std::make_shared<const NormalLaw>(summary, deviation);
}

}  // namespace wmi::bnn
