#include "frontends/learning/split_training.h"

#include <algorithm>
#include <cmath>

#include "bnn/mlp.h"
#include "bnn/random.h"

namespace wmi::frontends {
namespace {

struct Parts {
  bnn::Dataset rest, kept;
};

Parts hold_back(const bnn::Dataset& rows, double share, std::uint64_t seed) {
  const std::vector<std::size_t> order = bnn::shuffled(rows.rows(), seed);
  const auto held =
      static_cast<std::size_t>(std::max(1.0, std::floor(share * static_cast<double>(rows.rows()))));
  return {bnn::select(rows, std::span(order).subspan(held)),
          bnn::select(rows, std::span(order).first(held))};
}

bnn::Trajectory train_one(const Experiment& experiment, const SplitTraining& training,
                          std::uint64_t seed, const bnn::Hooks& hooks) {
  const auto train = [&](const bnn::Dataset& rows, const bnn::Dataset& kept,
                         const bnn::Recipe& recipe) {
    return bnn::train(experiment.network, experiment.observation, rows, kept, recipe, seed, hooks);
  };
  if (!training.recipe.from_best) return train(experiment.training, {}, training.recipe);
  const Parts parts = hold_back(experiment.training, training.validation, seed);
  if (!training.retrain) return train(parts.rest, parts.kept, training.recipe);
  bnn::Recipe again = training.recipe;
  again.from_best = false;
  again.epochs = bnn::choose(experiment.network, experiment.observation, parts.rest, parts.kept,
                             training.recipe, {{training.recipe.sampling_rate}}, seed, 1, hooks)
                     .epochs;
  return train(experiment.training, {}, again);
}

}  // namespace

Experiment open_split(const SplitData& data, std::size_t split, const SplitTraining& training,
                      std::uint64_t seed) {
  const bnn::Dataset all = bnn::select(data.rows, training_rows(data, split));
  Experiment experiment;
  experiment.standardisation = bnn::fit_standardisation(all, true);
  experiment.training = bnn::standardised(all, experiment.standardisation);
  experiment.network = bnn::mlp(all.inputs.columns, training.hidden, 2, "relu", training.dropout);
  experiment.seed = seed;
  return experiment;
}

void add_trajectories(Experiment& experiment, const SplitTraining& training, std::stop_token stop) {
  bnn::Hooks hooks;
  hooks.stop = std::move(stop);
  for (std::size_t t = 0; t < training.trajectories; ++t)
    experiment.trajectories.push_back(
        train_one(experiment, training, bnn::mixed(experiment.seed, t), hooks).samples);
}

SelectedRecipe select_recipe(const Experiment& experiment, std::span<const bnn::Recipe> candidates,
                             std::span<const double> rates, double validation,
                             std::stop_token stop) {
  const std::uint64_t seed = bnn::mixed(experiment.seed, 1000);
  const Parts parts = hold_back(experiment.training, validation, seed);
  bnn::Hooks hooks;
  hooks.stop = std::move(stop);
  SelectedRecipe best;
  best.score = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    bnn::Recipe recipe = candidates[c];
    recipe.from_best = true;
    bnn::Choice choice;
    try {
      choice = bnn::choose(experiment.network, experiment.observation, parts.rest, parts.kept,
                           recipe, rates, seed, 1, hooks);
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {
      continue;  // it diverged
    }
    for (const auto& [rate, score] : choice.scores) {
      if (!(score > best.score)) continue;
      best = {recipe, c, score};
      best.recipe.from_best = false;
      best.recipe.epochs = choice.epochs;
      best.recipe.sampling_rate = rate;
    }
  }
  if (!std::isfinite(best.score)) throw Error("no recipe trains on these rows: all diverge");
  return best;
}

}  // namespace wmi::frontends
