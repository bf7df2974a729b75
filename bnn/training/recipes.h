#pragma once

#include <span>
#include <string_view>

#include "bnn/training/train.h"

namespace wmi::frontends {

/// A training that is known to work on a data set: what differs from the standard recipe.
struct RecipeEntry {
  std::string_view name;
  std::size_t epochs;
  std::size_t batch;
  double rate;
  double weight_decay;
  double beta;
  double sampling_rate;
  std::size_t every;
  bool from_best;
};

/// The table of them: the UCI sets that regressions are usually compared on.
std::span<const RecipeEntry> recipes();
/// Throws Error, naming those there are.
bnn::Recipe find_recipe(std::string_view name);

}  // namespace wmi::frontends
