#include "bnn/training/mlp.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "bnn/training/parameters.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

std::vector<std::string> names(const encoders::Network& network) {
  std::vector<std::string> result;
  for (const encoders::NamedLayer& layer : network.layers) result.push_back(layer.name);
  return result;
}

}  // namespace

TEST_CASE("linear layers alternate with activations, and the last has none") {
  const encoders::Network network = mlp(13, {50, 20}, 2);
  CHECK(network.input == encoders::Shape{13});
  CHECK(names(network) == std::vector<std::string>{"fc1", "relu1", "fc2", "relu2", "fc3"});
  CHECK(network.output == std::vector<std::string>{"fc3"});
  CHECK(network.parameters.at("fc2.weight").shape == encoders::Shape{20, 50});
  CHECK(network.parameters.at("fc3.bias").shape == encoders::Shape{2});
  // Exact zeros would take a hundred bytes each.
  CHECK(network.parameters.at("fc2.weight").entries.empty());
  CHECK(weights_of(network, {}).at("fc2.weight").entries == std::vector<double>(20 * 50, 0));
  CHECK(names(mlp(3, {}, 1)) == std::vector<std::string>{"fc1"});
}

TEST_CASE("dropout follows each activation") {
  CHECK(names(mlp(3, {4}, 1, "relu", 0.5)) ==
        std::vector<std::string>{"fc1", "relu1", "drop1", "fc2"});
}

TEST_CASE("ramps and scales come before the first linear layer") {
  encoders::Ramps ramps;
  ramps.entries = {2};
  ramps.begin = ramps.low = {0};
  ramps.end = ramps.high = {1};
  const encoders::Network network = mlp(3, {4}, 1, "relu", 0, {ramps, true});
  CHECK(names(network) == std::vector<std::string>{"bins", "scale", "fc1", "relu1", "fc2"});
  CHECK(network.parameters.at("fc1.weight").shape == encoders::Shape{4, 4});
  CHECK(network.parameters.at("scale.weight").entries == std::vector<Rational>(4, 1));
  ramps.entries = {3};
  CHECK_THROWS_AS(mlp(3, {4}, 1, "relu", 0, {ramps, true}), Error);
}

TEST_CASE("unknown activations and impossible dropout are refused") {
  CHECK_THROWS_AS(mlp(3, {4}, 1, "step"), Error);
  CHECK_THROWS_AS(mlp(3, {4}, 1, "relu", 1), Error);
}
