#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/data/observation.h"

namespace wmi::bnn {

/// The mean of softmax, or of the sigmoid, over normal logits by fixed antithetic draws: a hundredth
/// of the time of `class_probabilities`, for comparing alternatives on the same rows. Each sample of
/// a mixture has draws of its own, so that their errors cancel in the mixture; the same numbers for
/// equal arguments, and for logits without a deviation the exact value.
class DrawnClasses {
 public:
  /// For so many samples of a mixture, each with so many logits.
  DrawnClasses(std::size_t samples, std::size_t logits);

  /// The probability of a class under one sample's logits, divided by `scale` and their variances
  /// multiplied by `temperature`.
  double probability(std::size_t sample, std::span<const OutputLaw<double>> logits,
                     const Observation& observation, std::size_t target, double scale = 1,
                     double temperature = 1) const;

 private:
  std::size_t logits_;
  std::vector<double> draws_;  // standard normal: by sample, pair and logit
};

}  // namespace wmi::bnn
