#pragma once

#include <map>
#include <string>

#include "bnn/predictive/predictive.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// Where the variance of one prediction comes from.
struct PredictionExplanation {
  double mean = 0;
  double deviation = 0;
  bnn::Predictive::Variance variance;  // its three parts

  /// What each collapsed weight contributes to the variance, averaged over the samples.
  std::map<std::string, double> effects;

  /// For `second:K`: the hidden units that the unknown weights may turn on or off, as in
  /// `fc1[3]+ fc1[7]-`, and the probability of each pattern.
  std::map<std::string, double> patterns;
};

/// Where the uncertainty of one predicted class comes from: the entropy of the probabilities, in
/// nats, and its part within samples, which is the mean of theirs. The rest is their differences.
struct ClassExplanation {
  std::size_t likeliest = 0;
  double probability = 0;
  double entropy = 0;
  double within = 0;
};
ClassExplanation explain_class(const Predictor& predictor, const Rows& rows);

/// Explains the prediction of a number for the first of these rows. Throws Error if weights of two
/// layers are collapsed.
PredictionExplanation explain(const Predictor& predictor, const Rows& rows);

}  // namespace wmi::frontends
