#include "bnn/collapse/collapse.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bnn/collapse/output_law.h"
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
  CHECK(refusal({.partition = "second:2", .posterior = "conditional-box"}) ==
        "posterior 'conditional-box' is one of the output's row; with 'second:2' take conditional, "
        "laplace, swag, moment, minmax or triangular");
  CHECK(refusal({.partition = "second:2", .posterior = "conditional"})
            .starts_with("posterior 'conditional' needs the training rows"));
  CHECK(refusal({.partition = "second:2", .choose = "effect", .posterior = "swag"}) ==
        "posterior 'swag' needs the same weights at all inputs; choose them by variance");
  CHECK(refusal({.partition = "all", .posterior = "swag"}) ==
        "'all' is for uniform weights; take the posterior moment or minmax");
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

/// Two inputs, five ReLUs, mean and raw variance, all weights around 0.
std::vector<Weights> wide_trajectory(std::size_t count) {
  std::mt19937 random(77);
  std::normal_distribution<double> normal;
  std::vector<Weights> result;
  for (std::size_t i = 0; i < count; ++i) {
    Weights& weights = result.emplace_back();
    for (const auto& [name, shape] :
         std::vector<std::pair<std::string, encoders::Shape>>{{"fc1.weight", {5, 2}},
                                                              {"fc1.bias", {5}},
                                                              {"fc2.weight", {2, 5}},
                                                              {"fc2.bias", {2}}}) {
      weights[name] = encoders::Tensor<double>::filled(shape, 0);
      for (double& entry : weights[name].entries) entry = static_cast<float>(normal(random));
    }
  }
  return result;
}

TEST_CASE("weights of at most three hidden units have a joint law") {
  const std::vector<Weights> samples = wide_trajectory(3);
  CHECK_THROWS_WITH(collapse(small_network(), rounded_forward, observation, samples, {}, nullptr,
                             {.partition = "second:15", .posterior = "swag"}),
                    "'second:15' has weights of 5 hidden units, and the posterior 'swag' can be "
                    "one of 3; take fewer weights, 'second:K+bias' for one unit, or the posterior "
                    "moment");
  const auto collapsed =
      collapse(small_network(), rounded_forward, observation, samples, {}, nullptr,
               {.partition = "second:2+bias", .choose = "variance", .posterior = "swag"});
  CHECK(collapsed[0].rows[0].joint.mean.size() == 3);
}

TEST_CASE("a joint law of hidden weights gives units at an input") {
  const std::vector<Weights> samples = trajectory(26, 6, 0.2);
  const Dataset training = random_rows(27, 40);
  for (const char* const posterior : {"conditional", "laplace", "swag"}) {
    CAPTURE(posterior);
    const CollapsedSample sample = collapse(
        small_network(), rounded_forward, observation, samples, {}, &training,
        {.partition = "fc1.weight[0,0] fc1.bias[0] fc1.weight[2,1]", .posterior = posterior})[0];
    const JointGaussian& joint = sample.rows[0].joint;
    REQUIRE(joint.mean.size() == 3);
    const std::vector<double> x{0.5, -2};
    const OutputLaw<double> law = output_laws(sample, x, std::vector<double>{0, 0})[0];
    const JointUnits<double>& units = law.joint;
    CHECK(law.units.empty());
    REQUIRE(units.numbers == std::vector<std::size_t>{0, 2});
    const Weights& weights = samples[0];
    const auto& in = weights.at("fc1.weight").entries;
    const auto& out = weights.at("fc2.weight").entries;
    // A_0 = W_00 / 2 - 2 w_01 + B_0, A_2 = w_20 / 2 - 2 W_21 + b_2.
    CHECK(units.means[0] == doctest::Approx(joint.mean[0] / 2 - 2 * in[1] + joint.mean[1]));
    CHECK(units.means[1] ==
          doctest::Approx(in[4] / 2 - 2 * joint.mean[2] + weights.at("fc1.bias").entries[2]));
    CHECK(units.factors == std::vector<double>{out[0], out[2]});
    CHECK(units.covariance[0] ==
          doctest::Approx(joint.covariance.at(0, 0) / 4 + joint.covariance.at(0, 1) +
                          joint.covariance.at(1, 1)));
    CHECK(units.covariance[1] ==
          doctest::Approx(-joint.covariance.at(0, 2) - 2 * joint.covariance.at(1, 2)));
    CHECK(units.covariance[3] == doctest::Approx(4 * joint.covariance.at(2, 2)));
    // The unit that is certain is in the constant.
    const double before = in[2] / 2 - 2 * in[3] + weights.at("fc1.bias").entries[1];
    CHECK(law.constant ==
          doctest::Approx(weights.at("fc2.bias").entries[0] + out[1] * std::max(before, 0.0)));
    // At 0 no weight counts, and B_0 remains.
    const OutputLaw<double> at_zero =
        output_laws(sample, std::vector<double>{0, 0}, std::vector<double>{0, 0})[0];
    CHECK(at_zero.joint.numbers == std::vector<std::size_t>{0});
  }
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
