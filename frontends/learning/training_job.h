#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/weights.h"
#include "bnn/predictive/predictive_choice.h"
#include "bnn/training/search.h"
#include "bnn/training/train.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/training_candidates.h"

namespace wmi::frontends {

/// A training that `ciber train` was asked for: data, network and recipe.
struct TrainingJob {
  Run run;
  bnn::Recipe recipe;
  std::optional<bnn::Weights> start;      // nullopt: random weights
  bnn::Dataset rows;                      // all rows of the final training, standardised
  std::optional<bnn::Dataset> conformal;  // rows set aside to adjust intervals by, standardised
  std::vector<bnn::Part> parts;           // divisions of the rows, to choose by; empty: no choice
  bool retrain = true;               // the final training is on all rows, not on the first part
  std::vector<OptionValues> values;  // of options that were not given, by candidate
  std::vector<bnn::TrainingCandidate> candidates;
  std::vector<double> rates;  // candidates for the sampling rate
  double budget = 0;          // nominal seconds of the search
  bnn::PredictiveFreedom freedom;
  std::optional<std::size_t> candidate;  // the one that is trained, once it is known
  std::size_t trajectories = 1;
  unsigned threads = 1;

  /// The checkpoint file of a trajectory, or of the choice.
  std::string checkpoint(const std::string& name) const;
  std::string checkpoint(std::size_t trajectory) const;
  /// Takes this candidate's network, likelihood and recipe.
  void take(std::size_t candidate);
};

/// Takes the candidate and the settings that an unfinished run records as chosen. False if it
/// records none.
bool restore_choice(const Run& run, TrainingJob& job);

/// Reads the table and all settings of `ciber train`. `warn` receives what is legal but unusual.
/// Throws Error and UsageError.
TrainingJob prepare_training(const Settings& settings, const std::string& out, unsigned threads,
                             const std::function<void(const std::string&)>& warn);

}  // namespace wmi::frontends
