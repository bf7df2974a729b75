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
#include "bnn/training/model.h"
#include "frontends/common/write_file.h"
#include "frontends/data/checkpoint.h"
#include "frontends/learning/run_recipe.h"
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

/// Epochs that one trajectory takes to sample; 0 if samples are counted in steps.
std::size_t sampling_epochs(const bnn::Recipe& recipe) {
  return recipe.every_steps ? 0 : recipe.samples * recipe.every;
}

/// Chooses sampling rate and epochs on the validation rows, and records them in the run.
void choose(TrainingJob& job, TrainingProgress& progress, const std::stop_token& stop) {
  const std::size_t tried = std::min(job.recipe.samples, bnn::tried_samples);
  progress.expect(job.recipe.epochs +
                  (job.rates.size() > 1
                       ? job.rates.size() * sampling_epochs(job.recipe) * tried / job.recipe.samples
                       : 0));
  const std::string file = job.checkpoint("choice");
  const std::optional<bnn::Checkpoint> before = read_checkpoint(file);
  bnn::Hooks hooks = checkpointing(file, stop);
  bnn::Checkpoint last = before.value_or(bnn::Checkpoint());
  progress.skip(last.metrics.size());
  const auto save = hooks.checkpoint;
  hooks.checkpoint = [&](const bnn::Checkpoint& checkpoint, bool ending) {
    last = checkpoint;
    save(checkpoint, ending);
  };
  hooks.epoch = [&](const bnn::Epoch& epoch) { progress.done("choosing", epoch); };
  const bnn::TrainingChoice choice =
      bnn::choose(job.run.network, bnn::make_model, job.run.observation, job.training,
                  job.validation, job.recipe, job.rates, bnn::mixed(job.run.seed, 0), job.threads,
                  hooks, job.start, before ? &*before : nullptr);
  if (stop.stop_requested()) throw Stopped();
  write_checkpoint(file, last);
  job.recipe.sampling_rate = choice.sampling_rate;
  job.recipe.stop_after = choice.epochs;
  job.run.recipe = with_choice(job.run.recipe, choice);
  write_run(job.run);
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
  const bool retrained = job.rows.rows() != job.training.rows();
  bnn::Recipe recipe = job.recipe;
  if (retrained) {  // the epochs are known; nothing is validated any more
    recipe.patience = 0;
    recipe.from_best = false;
  } else {
    recipe.stop_after = 0;
  }
  std::mutex mutex;
  std::vector<std::size_t> counts(job.trajectories);
  std::vector<std::vector<bnn::Epoch>> metrics(job.trajectories);
  bnn::in_parallel(job.trajectories, job.threads, [&](std::size_t k) {
    const std::string file = job.checkpoint(k);
    const std::optional<bnn::Checkpoint> before = read_checkpoint(file);
    if (before) {
      progress.skip(before->metrics.size());
      const std::lock_guard lock(mutex);
      counts[k] = before->samples;
    }
    bnn::Hooks hooks = checkpointing(file, stop);
    hooks.epoch = [&](const bnn::Epoch& epoch) {
      progress.done(fmt::format("trajectory {} of {}", k + 1, job.trajectories), epoch);
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
    metrics[k] =
        bnn::train(job.run.network, bnn::make_model, job.run.observation, job.rows,
                   retrained ? bnn::Dataset() : job.validation, recipe, bnn::mixed(job.run.seed, k),
                   hooks, job.start, before ? &*before : nullptr)
            .metrics;
  });
  if (stop.stop_requested()) throw Stopped();
  list_samples(job, counts);
  return metrics;
}

}  // namespace

void train_run(TrainingJob& job, bool chosen, TrainingProgress& progress,
               const std::stop_token& stop) {
  const std::size_t epochs = job.recipe.stop_after > 0 ? job.recipe.stop_after : job.recipe.epochs;
  progress.expect(job.trajectories * (epochs + sampling_epochs(job.recipe)));
  if (job.choosing && !chosen) choose(job, progress, stop);
  const std::vector<std::vector<bnn::Epoch>> metrics = train_trajectories(job, progress, stop);

  std::string lines(metrics_header);
  if (const auto choice = read_checkpoint(job.checkpoint("choice")))
    lines += metrics_lines(0, "choice", choice->metrics);
  for (std::size_t k = 0; k < metrics.size(); ++k) lines += metrics_lines(k, "train", metrics[k]);
  save((fs::path(job.run.path) / "metrics.csv").string(), lines);
  job.run.complete = true;
  write_run(job.run);
  std::error_code ignored;
  fs::remove_all(fs::path(job.run.path) / "checkpoints", ignored);
}

}  // namespace wmi::frontends
