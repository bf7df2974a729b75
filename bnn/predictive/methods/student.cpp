// A normal law of f and noise of Student's law: the mixture of normal laws of student_rule.h, whose
// error is relative and the same for all points.

#include <algorithm>
#include <cmath>
#include <utility>

#include "bnn/predictive/fast_law.h"
#include "bnn/predictive/methods/method.h"
#include "solver/laws/student_rule.h"

namespace wmi::bnn {
namespace {

constexpr double enough = 1e-12;
constexpr double coarse_digits = 5;

class StudentNoise final : public Method {
 public:
  StudentNoise(const LawSummary& summary, double deviation, double scale, double freedom,
               FallbackPointer certified)
      : Method(summary),
        deviation_(deviation),
        scale_(scale),
        rule_(student_rule(freedom)),
        certified_(std::move(certified)) {}

  double log_density(double y) const override {
    const auto found = rule_->density(y - summary_.mean, deviation_, scale_, enough);
    if (found.value > 1e-200 && found.error < 1e-10 * found.value) return std::log(found.value);
    return certified_->log_density(y);
  }

  double cdf(double y) const override {
    return std::min(1.0, rule_->cdf(y - summary_.mean, deviation_, scale_, enough).value);
  }

  double distance(double y) const override {
    double sum = 0;
    for (const StudentRule::Node& node : rule_->nodes)
      sum += node.weight * normal_distance(y - summary_.mean, deviation(node));
    return sum;
  }

  bool add_normal_parts(NormalParts wanted, double weight,
                        std::vector<NormalMixture::Part>& parts) const override {
    const auto rule =
        wanted == NormalParts::fine ? rule_ : student_rule(rule_->freedom, coarse_digits);
    double mass = 0;
    for (const StudentRule::Node& node : rule->nodes) mass += node.weight;
    for (const StudentRule::Node& node : rule->nodes)
      parts.push_back({summary_.mean, deviation(node), weight * node.weight / mass});
    return true;
  }

 private:
  double deviation(const StudentRule::Node& node) const {
    return std::sqrt(deviation_ * deviation_ + scale_ * scale_ * node.variance);
  }

  double deviation_;
  double scale_;
  std::shared_ptr<const StudentRule> rule_;
  FallbackPointer certified_;
};

}  // namespace

MethodPointer make_student_noise(const LawSummary& summary, double deviation, double scale,
                                 double freedom, const FallbackPointer& certified) {
  return std::make_shared<const StudentNoise>(summary, deviation, scale, freedom, certified);
}

}  // namespace wmi::bnn
