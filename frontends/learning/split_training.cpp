#include "frontends/learning/split_training.h"

#include <algorithm>
#include <cmath>

#include "bnn/collapse/float_forward.h"
#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/model.h"

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

bnn::Trajectory train_one(const bnn::Experiment& experiment, const SplitTraining& training,
                          std::uint64_t seed, const bnn::Hooks& hooks) {
  const auto train = [&](const bnn::Dataset& rows, const bnn::Dataset& kept,
                         const bnn::Recipe& recipe) {
    return bnn::train(experiment.network, experiment.make_model, experiment.observation, rows, kept,
                      recipe, seed, hooks);
  };
  if (!training.recipe.from_best) return train(experiment.training, {}, training.recipe);
  const Parts parts = hold_back(experiment.training, training.validation, seed);
  if (!training.retrain) return train(parts.rest, parts.kept, training.recipe);
  bnn::Recipe again = training.recipe;
  again.from_best = false;
  again.epochs =
      bnn::choose(experiment.network, experiment.make_model, experiment.observation, parts.rest,
                  parts.kept, training.recipe, {{training.recipe.sampling_rate}}, seed, 1, hooks)
          .epochs;
  return train(experiment.training, {}, again);
}

}  // namespace

bnn::Experiment open_split(const SplitData& data, std::size_t split, const SplitTraining& training,
                           std::uint64_t seed) {
  const bnn::Dataset all = bnn::select(data.rows, training_rows(data, split));
  bnn::Experiment experiment;
  experiment.standardisation = bnn::fit_standardisation(all, true);
  experiment.training = bnn::standardised(all, experiment.standardisation);
  experiment.network = bnn::mlp(all.inputs.columns, training.hidden, 2, "relu", training.dropout);
  experiment.forward = bnn::float_forward;
  experiment.make_model = bnn::make_model;
  experiment.seed = seed;
  return experiment;
}

void add_trajectories(bnn::Experiment& experiment, const SplitTraining& training,
                      std::stop_token stop) {
  bnn::Hooks hooks;
  hooks.stop = std::move(stop);
  for (std::size_t t = 0; t < training.trajectories; ++t)
    experiment.trajectories.push_back(
        train_one(experiment, training, bnn::mixed(experiment.seed, t), hooks).samples);
}

SelectedRecipe select_recipe(const bnn::Experiment& experiment,
                             std::span<const bnn::Recipe> candidates, std::span<const double> rates,
                             const Validation& validation, std::stop_token stop) {
  struct Tried {
    double score = 0;  // sums over the parts
    std::size_t epochs = 0;
  };
  bnn::Hooks hooks;
  hooks.stop = std::move(stop);
  SelectedRecipe best;
  best.score = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    std::vector<Tried> last_epoch(rates.size()), best_epoch(rates.size());
    try {
      for (std::size_t part = 0; part < validation.parts; ++part) {
        const std::uint64_t seed = bnn::mixed(experiment.seed, 1000 + part);
        const Parts parts = hold_back(experiment.training, validation.share, seed);
        bnn::Recipe recipe = candidates[c];
        bnn::Checkpoint end;  // of the descent, which both variants share
        const auto try_rates = [&](bool from_best, std::vector<Tried>& tried) {
          recipe.from_best = from_best;
          const bnn::TrainingChoice choice = bnn::choose(
              experiment.network, experiment.make_model, experiment.observation, parts.rest,
              parts.kept, recipe, rates, seed, 1, hooks, {}, from_best ? nullptr : &end);
          for (std::size_t r = 0; r < rates.size(); ++r) {
            tried[r].score += choice.scores[r].second;
            tried[r].epochs += choice.epochs;
          }
        };
        hooks.checkpoint = [&](const bnn::Checkpoint& state, bool) { end = state; };
        try_rates(true, best_epoch);
        hooks.checkpoint = {};
        try_rates(false, last_epoch);
      }
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {
      continue;  // it diverged
    }
    for (const std::vector<Tried>* const tried : {&last_epoch, &best_epoch})
      for (std::size_t r = 0; r < rates.size(); ++r) {
        const double score = (*tried)[r].score / static_cast<double>(validation.parts);
        if (!(score > best.score)) continue;
        best = {candidates[c], c, score};
        best.recipe.from_best = false;
        best.recipe.stop_after = (*tried)[r].epochs / validation.parts;
        best.recipe.sampling_rate = rates[r];
      }
  }
  if (!std::isfinite(best.score)) throw Error("no recipe trains on these rows: all diverge");
  return best;
}

}  // namespace wmi::frontends
