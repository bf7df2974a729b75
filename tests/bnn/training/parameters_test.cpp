#include "bnn/training/parameters.h"

#include <doctest/doctest.h>

#include "bnn/training/mlp.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

TEST_CASE("parameters lie in one vector in the order of their names") {
  const Observation homoscedastic{Observation::Kind::homoscedastic};
  const Layout layout = make_layout(weights_of(mlp(2, {3}, 1), homoscedastic));
  REQUIRE(layout.parameters.size() == 5);
  CHECK(layout.parameters[0].name == "fc1.bias");
  CHECK(layout.parameters[0].bias);
  CHECK(layout.at("fc1.weight").offset == 3);
  CHECK(layout.at("fc1.weight").size == 6);
  CHECK(layout.at(raw_variance_name).size == 1);
  CHECK(layout.size == 3 + 6 + 1 + 3 + 1);
  CHECK(layout.find("fc3.weight") == nullptr);
  CHECK_THROWS_AS(layout.at("fc3.weight"), Error);
}

TEST_CASE("running statistics of a normalisation are fixed") {
  const Layout layout =
      make_layout({{"bn.running_mean", {{2}, {0, 0}}}, {"bn.weight", {{2}, {1, 1}}}});
  CHECK(layout.at("bn.running_mean").fixed);
  CHECK(!layout.at("bn.weight").fixed);
}

TEST_CASE("weights become a vector and come back as the nearest floats") {
  const Weights weights{{"a", {{2}, {1, 0.1}}}, {"b", {{1, 1}, {-3}}}};
  const Layout layout = make_layout(weights);
  const std::vector<double> vector = to_vector(layout, weights);
  CHECK(vector == std::vector<double>{1, 0.1, -3});
  const Weights back = to_weights(layout, vector);
  CHECK(back.at("a").entries == std::vector<double>{1, 0.1f});
  CHECK(back.at("b").shape == encoders::Shape{1, 1});
  CHECK_THROWS_AS(to_vector(layout, Weights{{"a", {{2}, {1, 2}}}}), Error);
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
