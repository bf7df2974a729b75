#pragma once

#include <memory>

#include "bnn/collapse/output_law.h"
#include "bnn/predictive/certified_law.h"

namespace wmi::bnn {

/// The certified law of the same outcome, made on first use: for values that a method cannot
/// compute in doubles. Not for several threads at once.
class CertifiedFallback {
 public:
  CertifiedFallback(const OutputLaw<double>& output_law, const OutcomeNoise& noise)
      : output_law_(output_law), noise_(noise) {}

  const OutputLaw<double>& output_law() const { return output_law_; }
  const CertifiedLaw& law() const;
  /// To ten digits; minus infinity where there is no mass.
  double log_density(double y) const;

 private:
  OutputLaw<double> output_law_;
  OutcomeNoise noise_;
  mutable std::unique_ptr<const CertifiedLaw> law_;
};

}  // namespace wmi::bnn
