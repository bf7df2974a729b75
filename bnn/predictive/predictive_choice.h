#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/forward.h"
#include "bnn/collapse/output_law.h"
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
  double freedom = 0;        // degrees of freedom of noise of Student's law; 0: normal noise
  /// Samples weigh in proportion to their evidence to this power (see log_evidences); 0: equally.
  double evidence_power = 0;
  /// The weight of each sample, stacked on validation rows; empty: equal, or by evidence.
  std::vector<double> weights = {};
  bool at_sample =
      false;  // the mean of the conditional posterior's prior: not 0 but the sampled weights
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
  double average = 0;           // score of the plain average, with its noise corrected
  double collapsed = 0;         // of the best collapse, likewise; minus infinity if not tried
  double difference_error = 0;  // the standard error of their difference over rows
  double corrected = 0;         // score with the correction of the noise, if it was kept
  double evidence_lambda = 0;   // of the largest marginal likelihood; 0: there was no choice
  double evidence_score = 0;    // of that lambda
  double validated_score = 0;   // of the lambda that one half of the rows chooses, on the other
  double unweighted = 0;        // score with equal weights of the samples
  double by_evidence = 0;       // of the best power of the evidence; minus infinity: not tried
  double stacked = 0;  // of weights that one half of the rows chooses, on the other; likewise
  double score = 0;    // of the choice; of stacked weights, the last
};

/// What may be chosen; a value that is given is kept.
struct PredictiveFreedom {
  std::vector<double> lambdas;       // empty: a usual grid
  std::vector<double> temperatures;  // likewise
  bool correction = true;            // of the noise
  bool weights = true;               // of the samples
  /// The samples of the one part are those that will predict, so that each can have a weight.
  bool final_samples = false;
  std::vector<double> freedoms = {};  // degrees of freedom of Student's law; empty: a usual grid
  /// Of how many trajectories the samples will be that predict; scores are those of a mixture of so
  /// many (larger_mixture_logs). 0: as many as each part has.
  std::size_t trajectories = 0;
  bool always_collapsed = false;  // the last layer, whatever the plain average scores
  std::optional<bool> at_sample =
      {};  // the prior's mean; nullopt: 0 if lambdas are given, else both
};

/// Chooses by the log likelihood of validation rows: first a correction of the noise of the plain
/// average, then the prior, the temperature and a correction of its own for the collapse, then which
/// of the two is better, then the weights of the samples. Of priors around 0, lambda is the one of
/// the largest marginal likelihood of the training rows where that is at least as good for
/// validation rows as choosing by other validation rows; of those around the sampled weights, the
/// last leaves them as they are. A collapse, a temperature other than 1, a correction and weights are
/// kept if they gain more than a standard error of the gain over rows, a collapse also if its gain
/// falls in inverse proportion to the number of trajectories. If no collapse does, the choice is the
/// plain average, with a prior whose collapse is the average too. Networks whose last layer cannot
/// be collapsed are averaged.
PredictiveSelection choose_predictive(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const HeldOut> parts,
                                      const PredictiveFreedom& freedom = {});

/// The law of the noise as it was trained, or corrected.
OutcomeNoise outcome_noise(const Observation& observation, const PredictiveChoice* correction);

/// Gives collapsed samples the weights that were chosen. Those by evidence need the training rows
/// and the options of the collapse; without rows all weigh equally. Throws Error if the choice has
/// fewer weights than there are samples.
void weigh_samples(const PredictiveChoice& choice, const encoders::Network& network,
                   const Forward& forward, std::span<const Weights> samples,
                   const Dataset* training, const PosteriorOptions& options,
                   std::vector<CollapsedSample>& collapsed);

}  // namespace wmi::bnn
