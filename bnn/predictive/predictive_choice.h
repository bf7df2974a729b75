#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/forward.h"
#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// How samples become predictions: whether their last layer is collapsed, with which prior and
/// temperature, and how the noise of the outcome is corrected.
struct PredictiveChoice {
  bool collapsed = true;     // else the plain average
  double lambda = 0.3;       // of the conditional posterior
  double temperature = 1;    // likewise
  double scale = 1;          // of the noise's deviation; the logits of classes are divided by it
  double outliers = 0;       // see OutcomeNoise
  double outlier_scale = 1;  // likewise
};

/// Samples, the rows that they were trained on, and rows that they were not.
struct HeldOut {
  Dataset training;
  Dataset validation;
  std::vector<Weights> samples;
  std::vector<std::size_t> trajectories;  // of each sample
};

/// An alternative and the mean log likelihood of the validation rows under it.
struct Alternative {
  PredictiveChoice choice;
  double score = 0;
};

struct PredictiveSelection {
  PredictiveChoice choice;
  std::vector<Alternative> alternatives;
  std::size_t rows = 0;         // validation rows, of all parts
  double average = 0;           // score of the plain average
  double collapsed = 0;         // of the best collapse; minus infinity if it was not tried
  double difference_error = 0;  // the standard error of their difference over rows
  double corrected = 0;         // score of the choice
};

/// What may be chosen; a value that is given is kept.
struct PredictiveFreedom {
  std::vector<double> lambdas;       // empty: a usual grid
  std::vector<double> temperatures;  // likewise
  bool correction = true;            // of the noise
};

/// Chooses by the log likelihood of validation rows: first lambda, then the temperature, then
/// whether collapsing is better than the plain average of the same samples, then the correction of
/// the noise. A temperature other than 1 and a correction are kept if they gain more than a
/// standard error of the gain over rows. Networks whose last layer cannot be collapsed are
/// averaged.
PredictiveSelection choose_predictive(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const HeldOut> parts,
                                      const PredictiveFreedom& freedom = {});

}  // namespace wmi::bnn
