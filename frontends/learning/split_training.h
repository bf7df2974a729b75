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
  double validation = 0.1;  // the share of the training rows, where the recipe needs them
  bool retrain = true;      // what was found on validation rows is repeated on all training rows
};

/// A split before training: rows standardised by its training rows, a network, no trajectories.
Experiment open_split(const SplitData& data, std::size_t split, const SplitTraining& training,
                      std::uint64_t seed);

/// Adds the trajectories. Where the recipe wants to know its best epoch, some rows are kept back to
/// find it; with `retrain` a second training then sees all rows for as many epochs. Throws Stopped.
void add_trajectories(Experiment& experiment, const SplitTraining& training, std::stop_token stop);

/// A recipe that was chosen among several, and how well it did.
struct SelectedRecipe {
  bnn::Recipe recipe;
  std::size_t candidate = 0;
  double score = 0;  // the mean log likelihood of validation rows
};

/// The share of the training rows that validates, and how often, with other rows each time.
struct Validation {
  double share = 0.2;
  std::size_t parts = 1;
};

/// Chooses among recipes, sampling rates, and sampling from the last epoch or from that of the
/// smallest validation loss: what gives validation rows the best log likelihood under the plain
/// average of samples, in the mean over the parts. The result samples after as many epochs of the
/// same schedule (in the mean over the parts), without validation rows. Throws Stopped.
SelectedRecipe select_recipe(const Experiment& experiment, std::span<const bnn::Recipe> candidates,
                             std::span<const double> rates, const Validation& validation,
                             std::stop_token stop);

}  // namespace wmi::frontends
