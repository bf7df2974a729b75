#include "bnn/training/model.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/training/loss.h"
#include "bnn/training/mlp.h"
#include "bnn/training/shapes.h"
#include "solver/terms/error.h"
#include "tests/bnn/random_samples.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

std::string refusal(const encoders::Network& network, const Observation& observation,
                    std::size_t classes, const Weights& weights) {
  try {
    check_weights(network, observation, classes, weights);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("derivatives of the losses are differences of the losses") {
  using Kind = Observation::Kind;
  using Link = Observation::Link;
  Random random(5);
  for (const Kind kind : {Kind::heteroscedastic, Kind::homoscedastic, Kind::softmax, Kind::sigmoid})
    for (const Link link : {Link::exponential, Link::softplus}) {
      CAPTURE(static_cast<int>(kind));
      const Observation observation{kind, link, 1e-3};
      const std::size_t columns = kind == Kind::softmax ? 3 : output_count(observation);
      Matrix found = random_matrix(4, columns, random), derivatives(4, columns), unused(4, columns);
      const std::vector<double> targets = observation.regression()
                                              ? std::vector<double>{0.3, -1, 2, 0}
                                              : std::vector<double>{1, 0, 0, 1};
      const Loss at = loss(observation, 0, found, targets, 0.2, derivatives);
      constexpr double step = 1e-6;
      for (std::size_t i = 0; i < found.entries.size(); ++i) {
        Matrix up = found, down = found;
        up.entries[i] += step;
        down.entries[i] -= step;
        const double slope = (loss(observation, 0, up, targets, 0.2, unused).value -
                              loss(observation, 0, down, targets, 0.2, unused).value) /
                             (2 * step);
        CHECK(derivatives.entries[i] == doctest::Approx(slope).epsilon(1e-5));
      }
      const double slope = (loss(observation, 0, found, targets, 0.2 + step, unused).value -
                            loss(observation, 0, found, targets, 0.2 - step, unused).value) /
                           (2 * step);
      CHECK(at.raw_variance == doctest::Approx(slope).epsilon(1e-5));
    }
}

TEST_CASE("beta weighs a row by a power of its variance") {
  const Observation observation{Observation::Kind::heteroscedastic, Observation::Link::exponential,
                                0};
  Matrix found(1, 2), plain(1, 2), weighed(1, 2);
  found.entries = {1, std::log(4.0)};
  const std::vector<double> targets{3};
  loss(observation, 0, found, targets, 0, plain);
  loss(observation, 0.5, found, targets, 0, weighed);
  // (1 - 3) / 4 = -1/2, and 4^(1/2) = 2.
  CHECK(plain.entries[0] == doctest::Approx(-0.5));
  CHECK(weighed.entries[0] == doctest::Approx(-1));
}

TEST_CASE("log likelihoods are those of the normal law and of the softmax") {
  const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};
  const std::vector<double> mean{1};
  // -(log(2 pi 4) + 4/4) / 2.
  CHECK(log_likelihood(normal, mean, std::log(4.0), 3) == doctest::Approx(-2.112085713764618));
  const Observation softmax{Observation::Kind::softmax};
  const std::vector<double> logits{0, std::log(2.0), 0};
  CHECK(std::exp(log_likelihood(softmax, logits, 0, 1)) == doctest::Approx(0.5));
  const Observation sigmoid{Observation::Kind::sigmoid};
  const std::vector<double> logit{std::log(3.0)};
  CHECK(std::exp(log_likelihood(sigmoid, logit, 0, 1)) == doctest::Approx(0.75));
  CHECK(std::exp(log_likelihood(sigmoid, logit, 0, 0)) == doctest::Approx(0.25));
}

TEST_CASE("weights of another model are refused by the name of what does not fit") {
  const Observation two;
  const encoders::Network network = mlp(3, {5}, 2);
  const Weights weights = weights_of(network, two);
  CHECK(refusal(network, two, 0, weights) == "");
  CHECK(refusal(network, {Observation::Kind::homoscedastic}, 0, weights) ==
        "the network has 2 outputs, and the likelihood reads 1");
  CHECK(refusal(network, {Observation::Kind::softmax}, 3, weights) ==
        "the network has 2 outputs, and the likelihood reads 3");
  CHECK(refusal(network, two, 0, weights_of(mlp(4, {5}, 2), two)) ==
        "fc1: weight [5, 4] does not fit an input [3]");
  CHECK(refusal(network, two, 0, weights_of(mlp(3, {5, 5}, 2), two)) ==
        "no layer asks for the tensor 'fc3.bias'");
  Weights more = weights;
  more.emplace("fc9.weight", encoders::Tensor<double>::filled({1}, 0));
  CHECK(refusal(network, two, 0, more) == "no layer asks for the tensor 'fc9.weight'");
  Weights fewer = weights;
  fewer.erase("fc2.weight");
  CHECK(refusal(network, two, 0, fewer) == "fc2: there is no tensor 'fc2.weight'");
  CHECK(refusal(mlp(3, {5}, 1), {Observation::Kind::homoscedastic}, 0,
                weights_of(mlp(3, {5}, 1), two)) == "there is no tensor 'likelihood.raw_variance'");
}

TEST_CASE("fresh weights have Xavier's variance, biases are 0, and seeds differ") {
  const Weights shapes = weights_of(mlp(100, {200}, 2), Observation());
  const Weights weights = initial_weights(shapes, 1);
  double square = 0;
  for (const double entry : weights.at("fc1.weight").entries) square += entry * entry;
  // 2 / (100 + 200), from 20 000 draws.
  CHECK(square / 20'000 == doctest::Approx(2.0 / 300).epsilon(0.05));
  for (const double entry : weights.at("fc1.bias").entries) CHECK(entry == 0);
  CHECK(initial_weights(shapes, 1) == weights);
  CHECK(initial_weights(shapes, 2) != weights);
}
