#include "frontends/learning/training_job.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/run_recipe.h"
#include "solver/terms/error.h"
#include "tests/frontends/learning/given.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// Twenty rows of x, colour and y.
struct Data : TemporaryDirectory {
  Data() {
    std::string text = "x,colour,y\n";
    for (int i = 0; i < 20; ++i)
      text += std::to_string(i) + (i % 3 == 0 ? ",red," : ",blue,") + std::to_string(i % 7) + "\n";
    file("data.csv", text);
  }
  TrainingJob prepare(std::vector<std::string> words) const {
    words.insert(words.begin(), path("data.csv"));
    return prepare_training(given(train_command(), words), path("run"), 2,
                            [](const std::string&) {});
  }
};

}  // namespace

TEST_CASE("rows are held out to choose, and all rows are in some part") {
  const Data data;
  const TrainingJob job = data.prepare({"--target=y", "--validation=0.2"});
  CHECK(job.rates.size() == 3);
  CHECK(job.candidates.size() > 4);
  CHECK(job.values.size() == job.candidates.size());
  REQUIRE(job.parts.size() == 5);
  for (const bnn::Part& part : job.parts) {
    CHECK(part.validation.rows() == 4);
    CHECK(part.training.rows() == 16);
  }
  CHECK(job.parts[0].validation.targets != job.parts[1].validation.targets);
  CHECK(job.parts_by_cost);
  CHECK(job.rows.rows() == 20);
  CHECK(job.rows.inputs.columns == 3);  // x, and one for each colour
  CHECK(!job.run.complete);
  CHECK(job.checkpoint(7) == data.path("run/checkpoints/007.safetensors"));
  const TrainingJob kept = data.prepare({"--target=y", "--validation=0.2", "--retrain=no"});
  CHECK(kept.parts.size() == 1);
  CHECK(kept.rows.rows() == 16);
}

TEST_CASE("trajectories are trained on as many parts as the budget has") {
  const Data data;
  TrainingJob rich = data.prepare({"--target=y", "--budget=1000"});
  rich.decide_final_parts();
  CHECK(!rich.retrain);
  CHECK(rich.final_parts == 5);
  CHECK(rich.trajectories == 25);
  CHECK(rich.recipe.samples == 2);  // of each: 40 in all, or more
  CHECK(rich.rows.rows() == 20);
  std::set<std::size_t> parts;
  for (std::size_t k = 0; k < 5; ++k) parts.insert(rich.part_of(k));
  CHECK(parts.size() == 5);
  TrainingJob poor = data.prepare({"--target=y", "--budget=0.0001"});
  poor.decide_final_parts();
  CHECK(poor.final_parts == 2);
  CHECK(poor.trajectories == 6);
  CHECK(poor.recipe.samples == 7);
  TrainingJob asked = data.prepare({"--target=y", "--budget=1000", "--retrain=yes"});
  asked.decide_final_parts();
  CHECK(asked.retrain);
  CHECK(asked.trajectories == 5);
  TrainingJob one = data.prepare({"--target=y", "--budget=1000", "--retrain=no"});
  one.decide_final_parts();
  CHECK(one.final_parts == 1);
  CHECK(one.rows.targets == one.parts[0].training.targets);
  TrainingJob given =
      data.prepare({"--target=colour", "--budget=1000", "--trajectories=1", "--samples=3"});
  given.decide_final_parts();
  CHECK(given.final_parts == 1);
  CHECK(given.trajectories == 1);
  CHECK(given.recipe.samples == 3);
  CHECK(given.rows.targets == given.parts[0].training.targets);
  TrainingJob seven = data.prepare({"--target=y", "--budget=0.0001", "--trajectories=7"});
  seven.decide_final_parts();
  CHECK(seven.final_parts == 5);
  CHECK(seven.trajectories == 7);
  CHECK(seven.recipe.samples == 8);
}

TEST_CASE("without a search no row is held out, and the first candidate is trained") {
  const Data data;
  const TrainingJob job =
      data.prepare({"--target=y", "--search=no", "--sampling-rate=0.05", "--hidden=3"});
  CHECK(job.parts.empty());
  CHECK(job.rates == std::vector<double>{0.05});
  CHECK(job.recipe.sampling_rate == 0.05);
  CHECK(job.candidate == 0);
  CHECK(job.run.network.parameters.at("fc1.weight").shape == encoders::Shape{3, 3});
  CHECK(job.rows.rows() == 20);
}

TEST_CASE("a recorded choice is restored") {
  const Data data;
  TrainingJob job = data.prepare({"--target=y"});
  CHECK(!restore_choice(job.run, job));
  Run run = job.run;
  run.recipe = with_choice(run.recipe, {1, job.values[1], 0.001, 7, -1, {}});
  run.predictive = bnn::PredictiveChoice{};
  REQUIRE(restore_choice(run, job));
  CHECK(job.candidate == 1);
  CHECK(job.recipe.sampling_rate == 0.001);
  CHECK(job.recipe.stop_after == 7);
  CHECK(job.run.predictive);
  run.recipe = job.run.recipe;
  run.recipe = with_choice(run.recipe, {99, {}, 0.001, 7, -1, {}});
  CHECK_THROWS_AS(restore_choice(run, job), Error);
}

TEST_CASE("the target decides the likelihood, and one that does not fit is refused") {
  const Data data;
  using Kind = bnn::Observation::Kind;
  CHECK(data.prepare({"--target=y"}).run.observation.kind == Kind::heteroscedastic);
  CHECK(data.prepare({"--target=colour"}).run.observation.kind == Kind::sigmoid);
  CHECK(data.prepare({"--target=y", "--task=classification"}).run.observation.kind ==
        Kind::softmax);
  CHECK_THROWS_WITH_AS(data.prepare({"--target=y", "--likelihood=softmax"}),
                       "--likelihood: softmax is for classes; see --task", UsageError);
  CHECK_THROWS_AS(data.prepare({"--target=y", "--initial=file"}), UsageError);
  CHECK_THROWS_AS(data.prepare({}), UsageError);
}
