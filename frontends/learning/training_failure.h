#pragma once

#include <optional>
#include <string>

#include "frontends/learning/training_job.h"

namespace wmi::frontends {

/// What is wrong with a training, in a sentence without the name of its run.
struct TrainingFailure {
  std::string text;
  bool diverged = false;  // worse than useless; else it has learnt nothing
};

/// Compares the samples of a complete training with the best constant forecast of its rows.
std::optional<TrainingFailure> find_failure(const TrainingJob& job);

}  // namespace wmi::frontends
