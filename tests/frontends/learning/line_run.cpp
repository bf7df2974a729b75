#include "tests/frontends/learning/line_run.h"

#include <filesystem>
#include <fstream>

#include "frontends/data/run_directory.h"

namespace wmi::frontends {

std::string line_run(const TemporaryDirectory& directory) {
  Run run;
  run.path = directory.path("line");
  run.network = {{1},
                 {{"fc1", encoders::Linear{}, {"input"}},
                  {"relu1", encoders::Relu{}, {"fc1"}},
                  {"fc2", encoders::Linear{}, {"relu1"}}},
                 {"fc2"},
                 {}};
  run.observation.kind = bnn::Observation::Kind::homoscedastic;
  run.observation.link = bnn::Observation::Link::softplus;
  run.schema = {{{"x", {}}}, "y", {}};
  run.standardisation = {{0}, {1}, 1, 2};
  run.seed = 3;
  run.recipe = R"({"epochs": 10})";
  std::filesystem::create_directories(run.path);
  for (const double slope : {0.9, 1.1}) {
    bnn::Weights weights;
    weights.emplace("fc1.weight", encoders::Tensor<double>({2, 1}, {1, -1}));
    weights.emplace("fc1.bias", encoders::Tensor<double>({2}, {0, 0}));
    weights.emplace("fc2.weight", encoders::Tensor<double>({1, 2}, {slope, -slope}));
    weights.emplace("fc2.bias", encoders::Tensor<double>({1}, {0}));
    // softplus(-1.2586) = 1/4, in units of 2: a deviation of 1.
    weights.emplace(bnn::raw_variance_name, encoders::Tensor<double>({}, {-1.2586}));
    add_sample(run, weights, 0);
  }
  bnn::Dataset rows{bnn::Matrix(8, 1), {}};
  for (std::size_t i = 0; i < 8; ++i) {
    rows.inputs.at(i, 0) = (static_cast<double>(i) - 3.5) / 2;
    rows.targets.push_back(rows.inputs.at(i, 0) + (i % 2 == 0 ? 0.4 : -0.4));
  }
  write_training_rows(run, rows);
  write_run(run);
  std::ofstream(run.path + "/metrics.csv") << "trajectory,epoch,phase,rate,loss,validation\n"
                                              "0,1,train,0.1,2,2.5\n0,2,train,0.1,1,1.5\n";
  return run.path;
}

}  // namespace wmi::frontends
