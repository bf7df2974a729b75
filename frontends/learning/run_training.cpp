#include "frontends/learning/run_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive_choice.h"
#include "bnn/training/model.h"
#include "frontends/common/write_file.h"
#include "frontends/data/checkpoint.h"
#include "frontends/learning/run_recipe.h"
#include "frontends/learning/training_search.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Hooks that write a checkpoint at most every few seconds, and the last one.
bnn::Hooks checkpointing(const std::string& file, const std::stop_token& stop) {
  bnn::Hooks hooks;
  hooks.stop = stop;
  auto saved = std::make_shared<Clock::time_point>(Clock::now());
  hooks.checkpoint = [file, saved](const bnn::Checkpoint& checkpoint, bool last) {
    if (!last && Clock::now() < *saved + 5s) return;
    write_checkpoint(file, checkpoint);
    *saved = Clock::now();
  };
  return hooks;
}

/// Epochs that one trajectory takes, at most; those of samples that are counted in steps are left
/// out.
std::size_t trajectory_epochs(const bnn::Recipe& recipe) {
  if (recipe.drawn) return 0;
  return (recipe.stop_after > 0 ? recipe.stop_after : recipe.epochs) +
         (recipe.every_steps ? 0 : recipe.samples * recipe.every);
}

/// The recipe of the final training: on all rows for a known number of epochs, or on parts, whose
/// validation rows tell when to stop.
bnn::Recipe final_recipe(const TrainingJob& job) {
  bnn::Recipe recipe = job.recipe;
  if (job.retrain) {
    recipe.patience = 0;
    recipe.from_best = false;
  } else {
    recipe.stop_after = 0;
  }
  return recipe;
}

/// Lists the samples of all trajectories that are written, `counts` of each.
void list_samples(TrainingJob& job, const std::vector<std::size_t>& counts) {
  job.run.samples.clear();
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t i = 0; i < counts[k]; ++i)
      job.run.samples.push_back({sample_file(k * job.recipe.samples + i), k});
}

/// Trains the trajectories in several threads; returns the epochs of each.
std::vector<std::vector<bnn::Epoch>> train_trajectories(TrainingJob& job,
                                                        TrainingProgress& progress,
                                                        const std::stop_token& stop) {
  const bnn::Recipe recipe = final_recipe(job);
  const std::size_t count = job.trajectories;
  progress.expect(count * trajectory_epochs(recipe));
  std::mutex mutex;
  std::vector<std::size_t> counts(count);
  std::vector<std::vector<bnn::Epoch>> metrics(count);
  bnn::in_parallel(count, job.threads, [&](std::size_t k) {
    const std::string file = job.checkpoint(k);
    const std::optional<bnn::Checkpoint> before = read_checkpoint(file);
    if (before) {
      progress.skip(before->metrics.size());
      const std::lock_guard lock(mutex);
      counts[k] = before->samples;
    }
    bnn::Hooks hooks = checkpointing(file, stop);
    hooks.epoch = [&](const bnn::Epoch& epoch) {
      progress.done(fmt::format("trajectory {} of {}", k + 1, count), epoch);
    };
    hooks.sample = [&](const bnn::Weights& weights, std::size_t number) {
      write_sample(job.run, sample_file(k * recipe.samples + number), weights);
      const std::lock_guard lock(mutex);
      counts[k] = number + 1;
    };
    const auto save = hooks.checkpoint;
    hooks.checkpoint = [&](const bnn::Checkpoint& checkpoint, bool ending) {
      save(checkpoint, ending);
      if (checkpoint.samples == recipe.samples) write_checkpoint(file, checkpoint);
      if (!ending) return;
      const std::lock_guard lock(mutex);
      list_samples(job, counts);
      write_run(job.run);
    };
    const std::size_t part = job.part_of(k);
    const bnn::Dataset none;
    metrics[k] = bnn::train(job.run.network, bnn::make_training_model, job.run.observation,
                            job.retrain ? job.rows : job.parts[part].training,
                            job.retrain ? none : job.parts[part].validation, recipe,
                            job.retrain ? bnn::mixed(job.run.seed, k) : job.seed(part, k), hooks,
                            job.start, before ? &*before : nullptr)
                     .metrics;
  });
  if (stop.stop_requested()) throw Stopped();
  list_samples(job, counts);
  return metrics;
}

/// The trained samples of each part, with the rows that they were validated on.
std::vector<bnn::HeldOut> trained_samples(const TrainingJob& job) {
  std::vector<bnn::HeldOut> result;
  for (std::size_t part = 0; part < job.final_parts; ++part)
    result.push_back({job.parts[part].training, job.parts[part].validation, {}, {}});
  for (std::size_t i = 0; i < job.run.samples.size(); ++i) {
    const std::size_t trajectory = job.run.samples[i].trajectory;
    bnn::HeldOut& held = result[job.part_of(trajectory)];
    held.samples.push_back(read_sample(job.run, i));
    held.trajectories.push_back(trajectory);
  }
  return result;
}

}  // namespace

void train_run(TrainingJob& job, bool chosen, TrainingProgress& progress,
               const std::stop_token& stop) {
  if (!job.parts.empty() && !chosen) {
    search_candidates(job, progress, stop);
    write_run(job.run);
  }
  if (!job.parts.empty() && job.retrain && !job.run.predictive) {
    choose_predictions(job, train_parts(job, final_recipe(job), progress, stop));
    write_run(job.run);
  }
  const std::vector<std::vector<bnn::Epoch>> metrics = train_trajectories(job, progress, stop);
  if (!job.parts.empty() && !job.retrain) choose_predictions(job, trained_samples(job));
  std::string lines(metrics_header);
  for (std::size_t k = 0; k < metrics.size(); ++k) lines += metrics_lines(k, "train", metrics[k]);
  if (!job.recipe.drawn) save((fs::path(job.run.path) / "metrics.csv").string(), lines);
  job.run.complete = true;
  write_run(job.run);
  remove_checkpoints(job.run.path);
}

void remove_checkpoints(const std::string& run) {
  std::error_code ignored;
  fs::remove_all(fs::path(run) / "checkpoints", ignored);
}

}  // namespace wmi::frontends
