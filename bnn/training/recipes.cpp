#include "bnn/training/recipes.h"

#include <string>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr RecipeEntry table[] = {
    {"boston", 300, 30, .01, 1e-4, 0, .06, 5, false},
    {"concrete", 1000, 100, .1, 3e-4, .5, .08, 20, false},
    {"energy", 1500, 100, .03, 1e-3, .5, .01, 10, false},
    {"yacht", 2000, 30, .03, 1e-5, .5, .01, 5, true},
    {"naval", 1000, 100, .1, 1e-6, 1, .01, 1, false},
};

}  // namespace

std::span<const RecipeEntry> recipes() { return table; }

Recipe find_recipe(std::string_view name) {
  std::string names;
  for (const RecipeEntry& entry : table) {
    if (entry.name == name) {
      Recipe recipe;
      recipe.epochs = entry.epochs;
      recipe.batch = entry.batch;
      recipe.rate = entry.rate;
      recipe.weight_decay = entry.weight_decay;
      recipe.beta = entry.beta;
      recipe.sampling_rate = entry.sampling_rate;
      recipe.every = entry.every;
      recipe.from_best = entry.from_best;
      return recipe;
    }
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error("no recipe named '" + std::string(name) + "'; choose " + names);
}

}  // namespace wmi::bnn
