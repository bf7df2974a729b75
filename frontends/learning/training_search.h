#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "bnn/predictive/predictive_choice.h"
#include "frontends/learning/training_job.h"
#include "frontends/learning/training_progress.h"

namespace wmi::frontends {

/// The file of a run directory that has every trial of its search.
inline constexpr std::string_view search_file = "search.csv";
/// The file that says in words what was chosen and what the alternatives scored.
inline constexpr std::string_view choices_file = "choices.txt";

/// Searches the job's candidates on its first part and takes the best: network, likelihood, recipe,
/// sampling rate and epochs, recorded in the run's recipe. Trials are recorded as they end, so that
/// an interrupted search repeats only those that go on. Throws Stopped, and Error if all diverge.
void search_candidates(TrainingJob& job, TrainingProgress& progress, const std::stop_token& stop);

/// Trains the chosen candidate on the parts, as many trajectories each as the final training has:
/// all parts that the budget allows, and at least the first. Throws Stopped.
std::vector<bnn::HeldOut> train_parts(const TrainingJob& job, const bnn::Recipe& recipe,
                                      TrainingProgress& progress, const std::stop_token& stop);

/// Chooses how predictions are made from these samples and their validation rows, and records it in
/// the run. What was chosen is appended to `choices.txt`.
void choose_predictions(TrainingJob& job, std::span<const bnn::HeldOut> parts);

}  // namespace wmi::frontends
