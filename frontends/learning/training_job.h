#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/weights.h"
#include "bnn/training/train.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// A training that `ciber train` was asked for: data, network and recipe.
struct TrainingJob {
  Run run;
  bnn::Recipe recipe;
  std::optional<bnn::Weights> start;  // nullopt: random weights
  bnn::Dataset rows;                  // all rows of the final training, standardised
  bnn::Dataset training;              // without the validation rows
  bnn::Dataset validation;            // may be empty
  std::vector<double> rates;          // candidates for the sampling rate
  bool choosing = false;              // rate or epochs are chosen on the validation rows first
  bool rate_chosen = false;           // the rate is among what is chosen
  std::size_t trajectories = 1;
  unsigned threads = 1;

  /// The checkpoint file of a trajectory, or of the choice.
  std::string checkpoint(const std::string& name) const;
  std::string checkpoint(std::size_t trajectory) const;
};

/// Reads the table and all settings of `ciber train`. `warn` receives what is legal but unusual.
/// Throws Error and UsageError.
TrainingJob prepare_training(const Settings& settings, const std::string& out, unsigned threads,
                             const std::function<void(const std::string&)>& warn);

}  // namespace wmi::frontends
