#include "frontends/learning/training_search.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "frontends/learning/commands.h"
#include "frontends/learning/run_recipe.h"
#include "tests/frontends/learning/given.h"
#include "tests/frontends/program.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// Forty rows of y = x.
struct Data : TemporaryDirectory {
  Data() {
    std::string text = "x,y\n";
    for (int i = 0; i < 40; ++i)
      text += std::to_string(i % 13) + "," + std::to_string(i % 13) + "\n";
    file("data.csv", text);
  }
  TrainingJob prepare(const std::string& run, unsigned threads) const {
    return prepare_training(
        given(train_command(), {path("data.csv"), "--target=y", "--hidden=3", "--epochs=5",
                                "--samples=2", "--trajectories=2", "--retrain=yes"}),
        path(run), threads, [](const std::string&) {});
  }
};

}  // namespace

TEST_CASE("a search goes on where it was interrupted, and does not depend on threads") {
  const Data data;
  TrainingProgress progress;
  TrainingJob first = data.prepare("first", 2), second = data.prepare("second", 1);
  search_candidates(first, progress, {});
  const std::string trials = contents(data.path("first/search.csv"));
  CHECK(trials.find("\n01-1,bins 0; rate 0.003; decay 1e-4; heteroscedastic,") !=
        std::string::npos);
  CHECK(first.recipe.stop_after > 0);
  CHECK(read_choice(first.run)->candidate == *first.candidate);
  // Some trials of an interrupted search, as a killed program leaves them.
  std::filesystem::create_directories(data.path("second"));
  const std::size_t some = trials.find("\n03-1,") + 1;
  std::ofstream(data.path("second/search.csv")) << trials.substr(0, some);
  search_candidates(second, progress, {});
  CHECK(contents(data.path("second/search.csv")) == trials);
  CHECK(second.run.recipe == first.run.recipe);
  CHECK(contents(data.path("second/choices.txt")) == contents(data.path("first/choices.txt")));
}

TEST_CASE("predictions are chosen from samples of parts, and said in words") {
  const Data data;
  TrainingProgress progress;
  TrainingJob job = data.prepare("run", 2);
  search_candidates(job, progress, {});
  bnn::Recipe recipe = job.recipe;
  recipe.patience = 0;
  recipe.from_best = false;
  const std::vector<bnn::HeldOut> parts = train_parts(job, recipe, progress, {});
  REQUIRE(parts.size() == 5);
  CHECK(parts[0].samples.size() == 4);
  CHECK(parts[0].trajectories == std::vector<std::size_t>{0, 0, 1, 1});
  choose_predictions(job, parts);
  REQUIRE(job.run.predictive);
  const std::string words = contents(data.path("run/choices.txt"));
  CHECK(words.find("Predictions, by 40 validation rows of 5 parts:\n") != std::string::npos);
  CHECK(words.find("  plain average: ") != std::string::npos);
  CHECK(words.find("  last layer collapsed, lambda 0.3, temperature 1") != std::string::npos);
}
