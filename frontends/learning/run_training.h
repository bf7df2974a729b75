#pragma once

#include <stop_token>

#include "frontends/learning/training_job.h"
#include "frontends/learning/training_progress.h"

namespace wmi::frontends {

/// Trains all trajectories of a job into its run directory. Sampling rate and epochs are chosen on
/// the validation rows first, unless `chosen` already; each trajectory resumes from its checkpoint,
/// if there is one. Samples and checkpoints are written as they come, so that an interrupted
/// training can be resumed; in the end the run is marked complete. Throws Stopped, and Error when a
/// training diverges.
void train_run(TrainingJob& job, bool chosen, TrainingProgress& progress,
               const std::stop_token& stop);

}  // namespace wmi::frontends
