#include "bnn/training/sampler.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "solver/terms/error.h"
#include "tests/bnn/training/line.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};

/// Samples of one weight and one bias.
Weights point(double weight, double bias) {
  Weights result = weights_of(mlp(1, {}, 1), Observation{Observation::Kind::sigmoid});
  result.find("fc1.weight")->second.entries = {weight};
  result.find("fc1.bias")->second.entries = {bias};
  return result;
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const std::vector<Weights>& samples, const char* name) {
  Moments result;
  const auto count = static_cast<double>(samples.size());
  for (const Weights& weights : samples) result.mean += weights.at(name).entries[0] / count;
  for (const Weights& weights : samples)
    result.variance += std::pow(weights.at(name).entries[0] - result.mean, 2) / count;
  return result;
}

}  // namespace

TEST_CASE("the sampler table has each name once, and names those it has") {
  for (const SamplerEntry& entry : samplers()) CHECK(&find_sampler(entry.name) == &entry);
  CHECK_THROWS_AS(find_sampler("gibbs"), Error);
}

TEST_CASE("point estimates are the last point, the mean, and the last of each trajectory") {
  const encoders::Network network = mlp(1, {}, 1);
  const std::vector<std::vector<Weights>> trajectories{{point(1, 0), point(3, 1)}, {point(8, 8)}};
  const Observation sigmoid{Observation::Kind::sigmoid};
  const Dataset data = line(4);
  const SamplerInput input{network, make_dense_model, sigmoid, data, trajectories};
  CHECK(draw_sgd(input, {}, 1).samples == std::vector<Weights>{point(3, 1)});
  CHECK(draw_swa(input, {}, 1).samples == std::vector<Weights>{point(2, 0.5)});
  CHECK(draw_ensemble(input, {}, 1).samples == std::vector<Weights>{point(3, 1), point(8, 8)});
  const SamplerInput none{network, make_dense_model, sigmoid, data, {}};
  for (const char* name : {"sgd", "swa", "swag", "ensemble", "dropout", "trajectory"})
    CHECK_THROWS_AS(find_sampler(name).draw(none, {}, 1), Error);
}

TEST_CASE("SWAG draws with the mean and the covariance of the trajectory") {
  const encoders::Network network = mlp(1, {}, 1);
  // Weight and bias move together: variances 4 and 1, covariance 2.
  std::vector<std::vector<Weights>> trajectories(1);
  for (int i = 0; i < 10; ++i) {
    trajectories[0].push_back(point(5 + 2, 1 + 1));
    trajectories[0].push_back(point(5 - 2, 1 - 1));
  }
  const Observation sigmoid{Observation::Kind::sigmoid};
  const Dataset data = line(4);
  SamplerOptions options;
  options.count = 20'000;
  const Samples found =
      draw_swag({network, make_dense_model, sigmoid, data, trajectories}, options, 1);
  const Moments weight = moments(found.samples, "fc1.weight");
  const Moments bias = moments(found.samples, "fc1.bias");
  CHECK(weight.mean == doctest::Approx(5).epsilon(0.02));
  // (4 + 4 * 20/19) / 2; a standard deviation's error of 20 000 draws is 1 %.
  CHECK(weight.variance == doctest::Approx(4.105).epsilon(0.05));
  CHECK(bias.variance == doctest::Approx(1.026).epsilon(0.05));
  double covariance = 0;
  for (const Weights& weights : found.samples)
    covariance += (weights.at("fc1.weight").entries[0] - weight.mean) *
                  (weights.at("fc1.bias").entries[0] - bias.mean) / 20'000;
  CHECK(covariance == doctest::Approx(2 * 20.0 / 19 / 2).epsilon(0.1));
}

TEST_CASE("dropout leaves whole columns out, and keeps the mean") {
  const encoders::Network network = mlp(1, {2000}, 1, "relu", 0.25);
  const Observation sigmoid{Observation::Kind::sigmoid};
  Weights weights = weights_of(network, sigmoid);
  for (auto& [name, tensor] : weights)
    for (double& entry : tensor.entries) entry = 1;
  const std::vector<std::vector<Weights>> trajectories{{weights}};
  const Dataset data = line(4);
  SamplerOptions options;
  options.count = 2;
  const Samples found =
      draw_dropout({network, make_dense_model, sigmoid, data, trajectories}, options, 1);
  REQUIRE(found.samples.size() == 2);
  CHECK(found.samples[0] != found.samples[1]);
  CHECK(found.samples[0].at("fc1.weight") == weights.at("fc1.weight"));
  std::size_t left_out = 0;
  for (const double entry : found.samples[0].at("fc2.weight").entries) {
    CHECK((entry == 0 || entry == doctest::Approx(4.0 / 3)));
    left_out += entry == 0 ? 1 : 0;
  }
  CHECK(std::abs(static_cast<double>(left_out) - 500) < 100);  // 5 standard deviations: 97
  const encoders::Network plain = mlp(1, {4}, 1);
  const std::vector<std::vector<Weights>> points{{weights_of(plain, sigmoid)}};
  CHECK_THROWS_AS(draw_dropout({plain, make_dense_model, sigmoid, data, points}, options, 1),
                  Error);
  options.dropout = 0.5;
  CHECK(draw_dropout({plain, make_dense_model, sigmoid, data, points}, options, 1).samples.size() ==
        2);
}

TEST_CASE("HMC and Langevin dynamics find the posterior of a linear model") {
  const encoders::Network network = mlp(1, {}, 1);
  const Dataset data = line(20);
  // Known noise s^2 = 1/4, prior variance 1: the precision is I + X'X / s^2.
  double xx = 0, x = 0, xy = 0, y = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double in = data.inputs.at(i, 0), out = data.targets[i];
    xx += 4 * in * in;
    x += 4 * in;
    xy += 4 * in * out;
    y += 4 * out;
  }
  const double a = 1 + xx, b = x, d = 1 + 4.0 * 20, det = a * d - b * b;
  const double weight = (d * xy - b * y) / det, bias = (a * y - b * xy) / det;
  SamplerOptions options;
  options.noise_variance = 0.25;
  options.threads = 2;
  options.count = 4000;
  options.warm_up = 300;
  options.thinning = 2;
  options.leapfrog = 10;
  const Samples hmc = draw_hmc({network, make_dense_model, normal, data, {}}, options, 1);
  REQUIRE(hmc.samples.size() == 4000);
  const Moments w = moments(hmc.samples, "fc1.weight"), c = moments(hmc.samples, "fc1.bias");
  CHECK(std::abs(w.mean - weight) < 0.1 * std::sqrt(d / det));
  CHECK(std::abs(c.mean - bias) < 0.1 * std::sqrt(a / det));
  CHECK(w.variance == doctest::Approx(d / det).epsilon(0.15));
  CHECK(c.variance == doctest::Approx(a / det).epsilon(0.15));
  for (const Diagnostic& diagnostic : hmc.diagnostics) {
    CAPTURE(diagnostic.name);
    if (diagnostic.name == "acceptance rate") CHECK(std::abs(diagnostic.value - 0.8) < 0.15);
    if (diagnostic.name.starts_with("split R-hat")) CHECK(diagnostic.value < 1.05);
  }
  CHECK(hmc.samples[0].at(raw_variance_name).entries[0] ==
        doctest::Approx(std::log(0.25)).epsilon(1e-6));
  options.threads = 1;
  options.count = 40;
  const Samples one = draw_hmc({network, make_dense_model, normal, data, {}}, options, 1);
  options.threads = 2;
  CHECK(draw_hmc({network, make_dense_model, normal, data, {}}, options, 1).samples == one.samples);

  options.count = 2000;
  options.warm_up = 500;
  options.thinning = 20;
  options.step = 0.01;
  options.recipe.batch = 20;  // all rows, so that batches add no noise of their own
  const Samples sgld = draw_sgld({network, make_dense_model, normal, data, {}}, options, 1);
  const Moments v = moments(sgld.samples, "fc1.weight");
  CHECK(std::abs(v.mean - weight) < 0.3 * std::sqrt(d / det));
  CHECK(v.variance == doctest::Approx(d / det).epsilon(0.3));
}

TEST_CASE("a trajectory goes on from its last sample") {
  const encoders::Network network = mlp(1, {}, 1);
  const Observation sigmoid{Observation::Kind::sigmoid};
  Dataset data = line(8);
  for (double& target : data.targets) target = target > 0 ? 1 : 0;
  const std::vector<std::vector<Weights>> trajectories{{point(1, 0), point(3, 1)}, {point(8, 8)}};
  SamplerOptions options;
  options.count = 3;
  options.recipe.sampling_rate = 0;  // it stays where it is
  const Samples found =
      draw_trajectory({network, make_dense_model, sigmoid, data, trajectories}, options, 1);
  CHECK(found.samples == std::vector<Weights>{point(3, 1), point(3, 1), point(8, 8)});
  CHECK(found.chains == std::vector<std::size_t>{0, 0, 1});
}
