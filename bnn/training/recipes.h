#pragma once

#include <span>
#include <string_view>

#include "bnn/training/train.h"

namespace wmi::bnn {

/// A recipe that is known to work on a data set, as its differences from the standard one.
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

/// The table of recipes: UCI data sets that regressions are usually compared on.
std::span<const RecipeEntry> recipes();
/// Throws Error that lists the names.
Recipe find_recipe(std::string_view name);

}  // namespace wmi::bnn
