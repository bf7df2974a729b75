#include "tests/frontends/learning/price_run.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "frontends/data/run_directory.h"

namespace wmi::frontends {

PriceRun::PriceRun(bool classes) {
  Run run;
  run.path = path("toy.run");
  std::filesystem::create_directories(run.path);
  run.network = {{2},
                 {{"fc1", encoders::Linear{}, {"input"}},
                  {"relu1", encoders::Relu{}, {"fc1"}},
                  {"fc2", encoders::Linear{}, {"relu1"}}},
                 {"fc2"},
                 {}};
  if (classes) run.observation.kind = bnn::Observation::Kind::softmax;
  run.schema.features = {{"size", {}}, {"age", {}}};
  run.schema.target = "price";
  if (classes)
    run.schema.classes = {"blue", "red"};
  else
    run.schema.whole = {2, 5};
  run.standardisation = {{1, 0}, {2, 1}, 3, 2};
  if (classes) run.standardisation.target_mean = 0, run.standardisation.target_scale = 1;
  bnn::Dataset rows{bnn::Matrix(4, 2), {-1, 0, 0.5, 1}};
  rows.inputs.entries = {-1, 0, 0, 1, 0.5, 0.5, 1, -1};
  if (classes) rows.targets = {0, 0, 1, 1};
  write_training_rows(run, rows);
  for (int k = 0; k < 3; ++k) {
    const double d = 0.125 * k;
    add_sample(run,
               {{"fc1.weight", {{3, 2}, {1 + d, 0.5, -1, 0.25 + d, 0.5, 1}}},
                {"fc1.bias", {{3}, {0.25, 0.5 - d, 0}}},
                {"fc2.weight", {{2, 3}, {1 - d, 0.5 + d, -0.25, 0.125, 0, d}}},
                {"fc2.bias", {{2}, {0.5 * d, -1}}}},
               0);
  }
  write_run(run);
  file("rows.csv",
       classes ? "size,age,price\n2,0.5,red\n0,-1,blue\n" : "size,age,price\n2,0.5,4\n0,-1,1.5\n");
}

std::vector<Json> objects(const Finished& finished) {
  CAPTURE(finished.errors);
  REQUIRE(finished.exit == 0);
  return frontends::objects(finished.output);
}

}  // namespace wmi::frontends
