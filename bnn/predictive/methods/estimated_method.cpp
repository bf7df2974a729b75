// EstimatedLaw as a method.

#include "bnn/predictive/estimated_law.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

LawSummary summary_of(const EstimatedLaw& law) {
  return {law.mean(), law.variance(), law.inner_variance(), law.grain(), law.low(), law.high()};
}

class EstimatedMethod final : public Method {
 public:
  explicit EstimatedMethod(EstimatedLaw law) : Method(summary_of(law)), law_(std::move(law)) {}

  double log_density(double y) const override { return law_.log_density(y); }
  double cdf(double y) const override { return law_.cdf(y); }
  double distance(double y) const override { return law_.distance(y); }
  double estimated_error() const override { return law_.error(); }

 private:
  EstimatedLaw law_;
};

}  // namespace

MethodPointer make_estimated(const OutputLaw<double>& output_law, const OutcomeNoise& noise) {
  return std::make_shared<const EstimatedMethod>(EstimatedLaw(output_law, noise));
}

}  // namespace wmi::bnn
