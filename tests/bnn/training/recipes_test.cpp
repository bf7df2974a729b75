#include "bnn/training/recipes.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

TEST_CASE("every recipe is found by its name, with its own settings") {
  for (const RecipeEntry& entry : recipes()) {
    const Recipe recipe = find_recipe(entry.name);
    CHECK(recipe.epochs == entry.epochs);
    CHECK(recipe.rate == entry.rate);
    CHECK(recipe.from_best == entry.from_best);
  }
}

TEST_CASE("an unknown recipe is refused, and the known ones are named") {
  try {
    find_recipe("bosten");
    FAIL("found");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "no recipe named 'bosten'; choose boston, concrete, energy, yacht, naval");
  }
}
