#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/forecast.h"
#include "bnn/data/metrics.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// How a column of the table moves one prediction: the prediction minus what it would be with this
/// column at its average over the training rows, all others as they are.
struct FeatureEffect {
  std::string name;
  double mean = 0;         // of a number
  double deviation = 0;    // likewise
  double probability = 0;  // of the likeliest class
};

/// The effects of all columns on the prediction of a standardised input, largest first.
std::vector<FeatureEffect> feature_effects(const Predictor& predictor,
                                           std::span<const double> input);

/// How much worse rows are predicted when a column is shuffled among them: the mean log likelihood
/// before minus that after, with the standard error of the mean over rows.
struct FeatureImportance {
  std::string name;
  bnn::Spread loss;
};

/// The importance of all columns for standardised rows with targets (Breiman, Random forests,
/// 2001), largest first. The seed decides how they are shuffled. Throws Error for an outcome that has
/// no density.
std::vector<FeatureImportance> feature_importance(const Predictor& predictor,
                                                  const bnn::Dataset& rows, std::uint64_t seed);

}  // namespace wmi::frontends
