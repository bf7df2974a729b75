#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "bnn/training/methods.h"
#include "bnn/training/train.h"
#include "frontends/data/splits.h"

namespace wmi::frontends {

/// How networks are trained on a split of a data set.
struct SplitTraining {
  std::vector<std::size_t> hidden = {50};
  double dropout = 0;
  bnn::Recipe recipe = {};
  std::size_t trajectories = 1;
  double validation = 0.1;  // the share of the training rows held out, if the recipe needs them
  bool retrain = true;      // after choosing on validation rows, train on all training rows
};

/// A split before training: standardised rows and a network, no trajectories.
bnn::Experiment open_split(const SplitData& data, std::size_t split, const SplitTraining& training,
                           std::uint64_t seed);

/// Trains the trajectories and adds them. If the recipe samples from its best epoch, some rows are
/// held out to find it; with `retrain` a second training then uses all rows for as many epochs.
/// Throws Stopped.
void add_trajectories(bnn::Experiment& experiment, const SplitTraining& training,
                      std::stop_token stop);

/// A recipe chosen among several, and its score.
struct SelectedRecipe {
  bnn::Recipe recipe;
  std::size_t candidate = 0;
  double score = 0;  // the mean log likelihood of validation rows
};

/// The share of the training rows that is held out, and how often, with other rows each time.
struct Validation {
  double share = 0.2;
  std::size_t parts = 1;
};

/// Chooses a recipe, a sampling rate, and whether to sample from the last epoch or from that of the
/// smallest validation loss: by the log likelihood of the validation rows under the plain average
/// of samples, averaged over the parts. The selected recipe stops after as many epochs of its
/// schedule (averaged over the parts) and needs no validation rows. Throws Stopped, and Error if
/// all recipes diverge.
SelectedRecipe select_recipe(const bnn::Experiment& experiment,
                             std::span<const bnn::Recipe> candidates, std::span<const double> rates,
                             const Validation& validation, std::stop_token stop);

}  // namespace wmi::frontends
