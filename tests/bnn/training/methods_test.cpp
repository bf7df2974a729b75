#include "bnn/training/methods.h"

#include <doctest/doctest.h>

#include "bnn/training/sampler.h"
#include "solver/terms/error.h"
#include "tests/bnn/forward.h"
#include "tests/bnn/random_samples.h"

using namespace wmi;
using namespace wmi::bnn;

TEST_CASE("every method is found by its name and uses a sampler that exists") {
  for (const ComparedMethod& method : methods()) {
    CAPTURE(method.name);
    CHECK(&find_method(method.name) == &method);
    if (!method.sampler.empty()) CHECK_NOTHROW(find_sampler(method.sampler));
  }
  CHECK_THROWS_AS(find_method("avarage"), Error);
}

TEST_CASE("the plain average forecasts the mean over the last samples") {
  Experiment experiment;
  experiment.network = small_network();
  experiment.forward = rounded_forward;
  experiment.make_model = make_dense_model;
  experiment.standardisation = {{0, 0}, {1, 1}, 0, 1};
  experiment.training = random_rows(1, 5);
  experiment.trajectories = {trajectory(2, 4, 0.1)};
  const Dataset rows = random_rows(3, 2);
  const std::vector<Forecast> found = forecasts(find_method("average"), experiment, rows, 2, {});
  REQUIRE(found.size() == 2);
  // Two of four, evenly spaced: the second and the last.
  for (std::size_t i = 0; i < 2; ++i) {
    double mean = 0;
    for (const std::size_t sample : {1, 3})
      mean +=
          rounded_forward(experiment.network, experiment.trajectories[0][sample], rows.inputs, "")
              .outputs.at(i, 0) /
          2;
    CHECK(found[i].mean == doctest::Approx(mean));
  }
}

TEST_CASE("the chosen method is what the training chose") {
  Experiment experiment;
  experiment.network = small_network();
  experiment.forward = rounded_forward;
  experiment.make_model = make_dense_model;
  experiment.standardisation = {{0, 0}, {1, 1}, 0, 1};
  experiment.training = random_rows(1, 5);
  experiment.trajectories = {trajectory(2, 4, 0.1)};
  const Dataset rows = random_rows(3, 2);
  const auto found = [&](const std::string& method) {
    return forecasts(find_method(method), experiment, rows, 4, {});
  };
  PredictiveChoice choice;
  choice.collapsed = false;
  experiment.predictive = choice;
  CHECK(found("chosen")[0].log_density == found("pooled-average")[0].log_density);
  choice.scale = 2;
  experiment.predictive = choice;
  CHECK(found("chosen")[0].deviation > found("pooled-average")[0].deviation);
  experiment.predictive = PredictiveChoice{};
  CHECK(found("chosen")[0].log_density == found("pooled-conditional")[0].log_density);
}
