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
  bool retrain = true;                    // the final training is on all rows, not on parts
  bool parts_by_cost = false;             // on how many is decided when the candidate is known
  std::size_t final_parts = 1;            // its trajectories are on these in turn, unless `retrain`
  std::vector<OptionValues> values;       // of options that were not given, by candidate
  std::vector<bnn::TrainingCandidate> candidates;
  std::vector<double> rates;  // candidates for the sampling rate
  double budget = 0;          // nominal seconds of the search
  bnn::PredictiveFreedom freedom;
  std::optional<std::size_t> candidate;  // the one that is trained, once it is known
  std::size_t trajectories = 1;          // of the final training
  bool trajectories_given = false;
  bool samples_given = false;  // of each trajectory
  unsigned threads = 1;

  /// The checkpoint file of a trajectory, or of the choice.
  std::string checkpoint(const std::string& name) const;
  std::string checkpoint(std::size_t trajectory) const;
  /// The seed of a trajectory on one of the parts.
  std::uint64_t seed(std::size_t part, std::size_t trajectory) const;
  /// What all trajectories of the candidate cost on the first part, for as long as was best, or until
  /// they are out of patience.
  double nominal_seconds() const;
  /// The part of a trajectory of the final training: the first ones are all on different parts.
  std::size_t part_of(std::size_t trajectory) const { return trajectory % final_parts; }
  /// Where cost decides: some trajectories are trained on each of some parts, as many as the budget
  /// has, or as were given. The parts' validation rows tell when to stop and, all of them together,
  /// how to predict. There are the fewer samples of each trajectory, unless their number was given.
  void decide_final_parts();
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
