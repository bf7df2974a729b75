#include "frontends/learning/training_job.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
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

TEST_CASE("validation rows are held out to choose, and all rows are trained on in the end") {
  const Data data;
  const TrainingJob job = data.prepare({"--target=y", "--validation=0.2"});
  CHECK(job.choosing);
  CHECK(job.rate_chosen);
  CHECK(job.rates.size() == 5);
  CHECK(job.validation.rows() == 4);
  CHECK(job.training.rows() == 16);
  CHECK(job.rows.rows() == 20);
  CHECK(job.rows.inputs.columns == 3);  // x, and one for each colour
  CHECK(!job.run.complete);
  CHECK(job.checkpoint(7) == data.path("run/checkpoints/007.safetensors"));
}

TEST_CASE("with a rate there is nothing to choose, and no row is held out") {
  const Data data;
  const TrainingJob job = data.prepare({"--target=y", "--sampling-rate=0.05"});
  CHECK(!job.choosing);
  CHECK(job.rates == std::vector<double>{0.05});
  CHECK(job.validation.rows() == 0);
  CHECK(job.training.rows() == 20);
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
