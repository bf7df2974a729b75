#include "frontends/learning/split_training.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "bnn/numeric/random.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// A line with a little noise: 60 rows, the last 10 for the test.
SplitData line() {
  bnn::Random random(5);
  SplitData data;
  data.rows.inputs = bnn::Matrix(60, 1);
  for (std::size_t i = 0; i < 60; ++i) {
    data.rows.inputs.at(i, 0) = random.normal();
    data.rows.targets.push_back(2 * data.rows.inputs.at(i, 0) + 0.2 * random.normal());
  }
  data.tests = {{50, 51, 52, 53, 54, 55, 56, 57, 58, 59}};
  return data;
}

bnn::Recipe recipe(double rate) {
  bnn::Recipe result;
  result.epochs = 40;
  result.batch = 10;
  result.rate = rate;
  result.samples = 4;
  result.every = 1;
  return result;
}

}  // namespace

TEST_CASE("a recipe that learns is preferred to one with a rate near 0") {
  SplitTraining training;
  training.hidden = {4};
  const bnn::Experiment experiment = open_split(line(), 0, training, 3);
  const std::vector<bnn::Recipe> candidates{recipe(1e-9), recipe(0.05)};
  const std::vector<double> rates{1e-9, 1e-3};
  for (const std::size_t parts : {1u, 3u}) {
    CAPTURE(parts);
    const SelectedRecipe found = select_recipe(experiment, candidates, rates, {0.2, parts}, {});
    CHECK(found.candidate == 1);
    CHECK(found.recipe.rate == 0.05);
    CHECK(std::ranges::count(rates, found.recipe.sampling_rate) == 1);
    // As many epochs of the same schedule, and nothing is validated any more.
    CHECK(found.recipe.epochs == 40);
    CHECK(found.recipe.stop_after >= 1);
    CHECK(found.recipe.stop_after <= 40);
    CHECK(!found.recipe.from_best);
    const SelectedRecipe again = select_recipe(experiment, candidates, rates, {0.2, parts}, {});
    CHECK(again.score == found.score);
    CHECK(again.recipe.stop_after == found.recipe.stop_after);
  }
  // The score is a mean over the parts: those of three differ from that of one.
  CHECK(select_recipe(experiment, candidates, rates, {0.2, 1}, {}).score !=
        select_recipe(experiment, candidates, rates, {0.2, 3}, {}).score);
}

TEST_CASE("an error is thrown if every recipe diverges") {
  SplitTraining training;
  training.hidden = {4};
  const bnn::Experiment experiment = open_split(line(), 0, training, 3);
  bnn::Recipe wild = recipe(1e200);
  wild.clip = 0;
  const std::vector<double> rates{1e200, 1e201};
  CHECK_THROWS_AS(select_recipe(experiment, std::vector{wild}, rates, {0.2, 1}, {}), Error);
}
