#include "bnn/training/train.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/random_features.h"
#include "bnn/training/sample_quality.h"
#include "bnn/training/trainer.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// The samples of a recipe whose hidden weights are drawn, from those that the checkpoint has on.
Trajectory draw_samples(const encoders::Network& network, const ModelFactory& make_model,
                        const Observation& observation, const Dataset& training,
                        const Recipe& recipe, std::uint64_t seed, const Hooks& hooks,
                        const Checkpoint* checkpoint) {
  Trajectory result;
  Checkpoint state = checkpoint != nullptr ? *checkpoint : Checkpoint();
  state.sampling = true;
  while (state.samples < recipe.samples) {
    const RandomFeatures drawn(network, make_model, observation, training,
                               mixed(seed, state.samples));
    result.samples.push_back(drawn.weights());
    if (hooks.sample) hooks.sample(result.samples.back(), state.samples);
    ++state.samples;
    const bool stop = hooks.stop.stop_requested();
    if (hooks.checkpoint) hooks.checkpoint(state, stop);
    if (stop) throw Stopped();
  }
  return result;
}

}  // namespace

Trajectory train(const encoders::Network& network, const ModelFactory& make_model,
                 const Observation& observation, const Dataset& training, const Dataset& validation,
                 const Recipe& recipe, std::uint64_t seed, const Hooks& hooks,
                 const std::optional<Weights>& start, const Checkpoint* checkpoint) {
  if (recipe.drawn)
    return draw_samples(network, make_model, observation, training, recipe, seed, hooks,
                        checkpoint);
  Trainer trainer(network, make_model, observation, training, validation, recipe, seed, hooks);
  Checkpoint state = checkpoint != nullptr ? *checkpoint : trainer.start(start);
  Trajectory result;
  trainer.descend(state);
  trainer.sample(state, result.samples);
  result.metrics = std::move(state.metrics);
  result.epochs =
      static_cast<std::size_t>(std::ranges::count(result.metrics, false, &Epoch::sampling));
  result.best_epoch = state.best_epoch;
  return result;
}

TrainingChoice choose(const encoders::Network& network, const ModelFactory& make_model,
                      const Observation& observation, const Dataset& training,
                      const Dataset& validation, const Recipe& recipe,
                      std::span<const double> rates, std::uint64_t seed, unsigned threads,
                      const Hooks& hooks, const std::optional<Weights>& start,
                      const Checkpoint* checkpoint) {
  if (validation.rows() == 0) throw Error("there are no validation rows to choose by");
  Trainer trainer(network, make_model, observation, training, validation, recipe, seed, hooks);
  Checkpoint state = checkpoint != nullptr ? *checkpoint : trainer.start(start);
  trainer.descend(state);
  TrainingChoice result;
  result.epochs = (recipe.from_best || recipe.patience > 0) && state.best_epoch > 0
                      ? state.best_epoch
                      : recipe.epochs;
  result.scores.resize(rates.size());
  if (rates.size() == 1) {
    result.sampling_rate = rates[0];
    result.scores.clear();
    return result;
  }
  in_parallel(rates.size(), threads, [&](std::size_t i) {
    Recipe tried = recipe;
    tried.sampling_rate = rates[i];
    tried.samples = std::min(recipe.samples, tried_samples);
    Hooks quiet;
    quiet.stop = hooks.stop;
    quiet.epoch = hooks.epoch;
    double score = -std::numeric_limits<double>::infinity();
    try {
      const Trajectory found = train(network, make_model, observation, training, validation, tried,
                                     seed, quiet, {}, &state);
      score = average_log_likelihood(network, make_model, observation, found.samples, validation);
    } catch (const Error&) {  // it diverges: no rate to choose
    }
    result.scores[i] = {rates[i], score};
  });
  const auto best = std::ranges::max_element(result.scores, {}, &std::pair<double, double>::second);
  if (!std::isfinite(best->second)) throw Error("sampling diverges at every rate that was tried");
  result.sampling_rate = best->first;
  return result;
}

}  // namespace wmi::bnn
