#include "frontends/learning/training_progress.h"

#include <doctest/doctest.h>

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("progress counts the epochs of all trajectories") {
  TrainingProgress progress;
  CHECK(progress.line() == "training");
  progress.expect(10);
  progress.skip(6);  // done by an earlier process
  bnn::Epoch epoch;
  epoch.number = 7;
  epoch.loss = 0.5;
  epoch.rate = 0.01;
  progress.done("trajectory 1 of 2", epoch);
  const std::string line = progress.line();
  CHECK(line.starts_with("25 %, "));
  CHECK(line.ends_with(" left; loss 0.5, epoch 7, trajectory 1 of 2"));
  for (int i = 0; i < 9; ++i) progress.done("more than expected", epoch);
  CHECK(progress.line().starts_with("100 %, 0 s left; "));
  epoch.number = 10'000;
  epoch.loss = -0.12345;
  epoch.sampling = true;
  progress.done("trajectory 10 of 10", epoch);
  CHECK(progress.line().size() < 80);
}
