#include "frontends/data/checkpoint.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

TEST_CASE("a checkpoint is read back exactly") {
  const TemporaryDirectory directory;
  bnn::Checkpoint checkpoint;
  checkpoint.sampling = true;
  checkpoint.epoch = 3;
  checkpoint.steps = 70;
  checkpoint.samples = 2;
  checkpoint.restarts_left = 1;
  checkpoint.parameters = {0.1, 1.0 / 3};
  checkpoint.velocity = {1e-300, -7};
  checkpoint.metrics = {{false, 1, 0.01, 0.7}, {true, 2, 0.06, 0.1, -0.3}};
  const std::string file = directory.path("checkpoints/000.safetensors");
  CHECK(!read_checkpoint(file));
  write_checkpoint(file, checkpoint);
  const auto read = read_checkpoint(file);
  REQUIRE(read);
  CHECK(read->sampling);
  CHECK(read->parameters == checkpoint.parameters);
  CHECK(read->velocity == checkpoint.velocity);
  CHECK(read->best_loss == checkpoint.best_loss);
  CHECK(read->samples == 2);
  CHECK(read->restarts_left == 1);
  CHECK(metrics_lines(4, "train", read->metrics) ==
        "4,1,train,0.01,0.7,\n4,2,sample,0.06,0.1,-0.3\n");
  directory.file("checkpoints/000.safetensors", "no checkpoint");
  CHECK_THROWS_AS(read_checkpoint(file), Error);
}

}  // namespace
}  // namespace wmi::frontends
