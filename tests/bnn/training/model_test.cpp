#include "bnn/training/model.h"

#include <doctest/doctest.h>

#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "encoders/network.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

/// 2 max(0, x + 1) - 3 max(0, -x) + 5.
Weights two_units() {
  return {{"fc1.weight", {{2, 1}, {1, -1}}},
          {"fc1.bias", {{2}, {1, 0}}},
          {"fc2.weight", {{1, 2}, {2, -3}}},
          {"fc2.bias", {{1}, {5}}}};
}

}  // namespace

TEST_CASE("plain loops compute the outputs of a perceptron") {
  Matrix inputs(3, 1);
  inputs.entries = {1, -0.5, -2};
  const Matrix found = outputs(mlp(1, {2}, 1), make_dense_model, two_units(), inputs);
  CHECK(found.entries == std::vector<double>{9, 4.5, -1});
}

TEST_CASE("plain loops compute the gradient of a perceptron") {
  const encoders::Network network = mlp(1, {2}, 1);
  const Weights weights = two_units();
  const Layout layout = make_layout(weights);
  Matrix inputs(1, 1);
  inputs.entries = {-0.5};
  std::vector<double> gradient(layout.size, 7);  // overwritten
  make_dense_model(network, layout)
      ->gradient(
          to_vector(layout, weights), inputs, std::nullopt,
          [](const Matrix&, Matrix& derivatives) { derivatives.entries = {1}; }, gradient);
  const Weights found = to_weights(layout, gradient);
  // Both units are active, at 1/2 each.
  CHECK(found.at("fc2.bias").entries == std::vector<double>{1});
  CHECK(found.at("fc2.weight").entries == std::vector<double>{0.5, 0.5});
  CHECK(found.at("fc1.bias").entries == std::vector<double>{2, -3});
  CHECK(found.at("fc1.weight").entries == std::vector<double>{-1, 1.5});
}

TEST_CASE("a network that is no chain has no plain loops") {
  encoders::Network network = mlp(1, {2}, 1);
  network.layers.push_back({"sum", encoders::Add{}, {"fc2", "fc2"}});
  network.output = {"sum"};
  const Layout layout = make_layout(two_units());
  CHECK(try_dense_model(network, layout) == nullptr);
  CHECK_THROWS_AS(make_dense_model(network, layout), Error);
}
