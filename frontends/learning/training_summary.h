#pragma once

#include <string>

#include "frontends/learning/training_job.h"

namespace wmi::frontends {

/// What `ciber train` prints of a complete training.
struct TrainingSummary {
  std::string text;
  std::string warning;  // empty: none
};
TrainingSummary summarise(const TrainingJob& job);

}  // namespace wmi::frontends
