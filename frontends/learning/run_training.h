#pragma once

#include <stop_token>
#include <string>

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

/// Of a complete run, which a process that was killed just then has left.
void remove_checkpoints(const std::string& run);

}  // namespace wmi::frontends
