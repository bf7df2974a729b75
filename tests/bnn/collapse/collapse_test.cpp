#include "bnn/collapse/collapse.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "tests/bnn/forward.h"
#include "tests/bnn/random_samples.h"

namespace wmi::bnn {
namespace {

using encoders::Network;

const Observation observation{Observation::Kind::heteroscedastic, Observation::Link::exponential,
                              1e-6};

TEST_CASE("weights that cannot be collapsed are refused by name") {
  const std::vector<Weights> samples = trajectory(16, 2, 0.1);
  const auto refusal = [&](const CollapseOptions& options) -> std::string {
    try {
      collapse(small_network(), rounded_forward, observation, samples, {}, nullptr, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal({.partition = "lost"}).starts_with("no partition 'lost'; choose none, last"));
  CHECK(refusal({.partition = "last:x"}) == "partition 'last:x': 'x' is no number of weights");
  CHECK(refusal({.partition = "fc1.weight[0,1] fc2.weight[0,1]", .posterior = "moment"}) ==
        "'fc2.weight[0,1]' and 'fc1.weight[0,1]': products of two unknowns are not linear; "
        "collapse one layer only");
  CHECK(refusal({.partition = "fc2.weight[1,0]", .posterior = "moment"})
            .starts_with("'fc2.weight[1,0]' cannot be collapsed: only row 0 of 'fc2', the mean"));
  CHECK(refusal({.partition = "last"}) ==
        "posterior 'conditional' needs the training rows, which the run does not have; take "
        "moment or minmax");
  CHECK(refusal({.partition = "second:2", .posterior = "conditional"}) ==
        "posterior 'conditional' is one of the output's row; with 'second:2' take moment, minmax "
        "or triangular");
  CHECK(refusal({.partition = "all", .posterior = "triangular"}) ==
        "'all' is for uniform weights; take the posterior moment or minmax");
  CHECK(refusal({.posterior = "normal"}).starts_with("no posterior named 'normal'; choose cond"));
}

TEST_CASE("each trajectory has boxes of its own") {
  // Two trajectories far apart, each without spread: nothing is unknown.
  std::vector<Weights> samples = trajectory(18, 1, 0);
  samples.push_back(trajectory(19, 1, 0)[0]);
  samples.push_back(samples[0]);
  samples.push_back(samples[1]);
  const std::vector<std::size_t> trajectories{0, 1, 0, 1};
  const auto collapsed = collapse(small_network(), rounded_forward, observation, samples,
                                  trajectories, nullptr, {.posterior = "minmax"});
  for (const CollapsedSample& sample : collapsed)
    for (const Candidate& candidate : sample.rows[0].candidates)
      CHECK(candidate.marginal.from == candidate.marginal.to);
  CHECK(collapsed[0].rows[0].candidates[0].marginal.from !=
        collapsed[1].rows[0].candidates[0].marginal.from);
}

TEST_CASE("collapsing all weights needs a network of one hidden layer and numbers as outcomes") {
  Network deep = small_network();
  deep.layers.push_back({"relu2", encoders::Relu{}, {"fc2"}});
  deep.layers.push_back({"fc3", encoders::Linear{}, {"relu2"}});
  deep.output = {"fc3"};
  std::vector<Weights> samples = trajectory(25, 2, 0.1);
  for (Weights& sample : samples) {
    sample["fc3.weight"] = {{2, 2}, {1, 0, 0, 1}};
    sample["fc3.bias"] = {{2}, {0, 0}};
  }
  CHECK_THROWS_WITH(
      collapse(deep, rounded_forward, observation, samples, {}, nullptr, {.partition = "all"}),
      "'all' is for networks of one hidden layer, and there are layers before "
      "'fc2'; collapse 'last' or 'second:K'");
  const Observation classes{Observation::Kind::softmax, Observation::Link::exponential, 0};
  CHECK_THROWS_WITH(collapse(small_network(), rounded_forward, classes, samples, {}, nullptr,
                             {.partition = "all"}),
                    "'all' is for outcomes that are numbers; collapse 'last' for classes");
}

TEST_CASE("assumptions name the forward pass, the posterior and the variance") {
  CHECK(assumptions({.partition = "none"}, small_network(), true) ==
        std::vector<std::string>{"posterior: the samples alone"});
  CHECK(assumptions({.partition = "second:2"}, small_network(), false) ==
        std::vector<std::string>{
            "activations: 32-bit forward pass, taken as the numbers they are",
            "posterior of second:2: moment, its numbers rounded to doubles",
            "variance of the outcome: at the sample, not at the unknown weights"});
}

}  // namespace
}  // namespace wmi::bnn
