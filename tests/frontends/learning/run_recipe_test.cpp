#include "frontends/learning/run_recipe.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "tests/frontends/learning/given.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

const std::vector<std::string> words{"data.csv",    "--target=y",      "--rate",
                                     "0.02",        "--every=50steps", "--from-best",
                                     "--out=a.run", "--threads=2"};

Run recorded() {
  Run run;
  run.path = "a.run";
  run.recipe = recipe_json(given(train_command(), words));
  return run;
}

}  // namespace

TEST_CASE("a recipe is recorded without what does not change the result, and read back") {
  const Run run = recorded();
  CHECK(run.recipe.starts_with("{\"data\": \"data.csv\",\n \"target\": \"y\",\n"));
  CHECK(run.recipe.find("\n \"from-best\": true,") != std::string::npos);
  CHECK(run.recipe.find("\"out\"") == std::string::npos);
  CHECK(run.recipe.find("\"threads\"") == std::string::npos);
  const bnn::Recipe recipe = recipe_of(run);
  CHECK(recipe.rate == 0.02);
  CHECK(recipe.every == 50);
  CHECK(recipe.every_steps);
  CHECK(recipe.from_best);
  CHECK(recipe.epochs == 300);
}

TEST_CASE("a choice is added to the recipe and read back") {
  Run run = recorded();
  CHECK(!read_choice(run));
  const RecordedChoice choice{2,          {{"hidden", "20,10"}, {"batch", "8"}}, 0.03, 120, -1.5,
                              {"a: -1.5"}};
  run.recipe = with_choice(run.recipe, choice);
  CHECK(run.recipe.ends_with(
      ",\n \"chosen\": {\"candidate\": 2, \"settings\": {\"hidden\": \"20,10\", \"batch\": \"8\"}, "
      "\"sampling-rate\": 0.03, \"epochs\": 120, \"score\": -1.5, \"scores\": [\"a: -1.5\"]}}"));
  const auto found = read_choice(run);
  REQUIRE(found);
  CHECK(found->candidate == 2);
  CHECK(found->values == choice.values);
  CHECK(found->sampling_rate == 0.03);
  CHECK(found->epochs == 120);
  CHECK(found->scores == choice.scores);
  CHECK(recipe_of(run).sampling_rate == 0.03);
  CHECK(recipe_of(run).batch == 8);
}

TEST_CASE("a run without a recipe has the default one") {
  const bnn::Recipe recipe = recipe_of(Run());
  CHECK(recipe.epochs == bnn::Recipe().epochs);
  CHECK(recipe.samples == 8);
}

TEST_CASE("resumed settings are the recorded ones, and may not be contradicted") {
  const Run run = recorded();
  const Settings same = resumed_settings(given(train_command(), {"--resume", "--rate=0.02"}), run);
  CHECK(same.words() == std::vector<std::string>{"data.csv"});
  CHECK(same.text("rate") == "0.02");
  CHECK(same.text("target") == "y");
  const Settings moved = resumed_settings(given(train_command(), {"moved.csv", "--resume"}), run);
  CHECK(moved.words() == std::vector<std::string>{"moved.csv"});
  CHECK_THROWS_WITH_AS(resumed_settings(given(train_command(), {"--rate=0.5"}), run),
                       "--rate: the run was started with 0.02", UsageError);
  // What was not given is not given now, so that the same is chosen.
  CHECK(same.given("rate"));
  CHECK(!same.given("samples"));
  CHECK(same.text("samples") == "8");
}
