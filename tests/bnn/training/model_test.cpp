#include "bnn/training/model.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/collapse/float_forward.h"
#include "bnn/collapse/forward.h"
#include "bnn/numeric/random.h"
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

TEST_CASE("loops in floats give the outputs and the gradient of those in doubles, rounded") {
  for (const char* activation : {"relu", "tanh", "sigmoid"}) {
    CAPTURE(activation);
    Random random(3);
    encoders::Ramps ramps;
    ramps.entries = {0, 1};
    ramps.begin = {0, -1};
    ramps.end = {1, ratio(1, 2)};
    ramps.low = {0, 0};
    ramps.high = {1, 1};
    const encoders::Network network = mlp(3, {9, 20}, 2, activation, 0, {ramps, true});
    const Layout layout = make_layout(weights_of(network, {}));
    const std::vector<double> parameters =
        to_vector(layout, initial_weights(weights_of(network, {}), 5));
    Matrix inputs(37, 3);
    for (double& entry : inputs.entries) entry = random.normal();
    const std::unique_ptr<Model> models[] = {make_dense_model(network, layout),
                                             make_float_model(network, layout)};
    Matrix outputs[2];
    std::vector<double> gradients[2];
    for (std::size_t k = 0; k < 2; ++k) {
      outputs[k] = models[k]->outputs(parameters, inputs);
      gradients[k].assign(layout.size, 7);  // overwritten
      models[k]->gradient(
          parameters, inputs, std::nullopt,
          [](const Matrix& at, Matrix& derivatives) { derivatives.entries = at.entries; },
          gradients[k]);
    }
    REQUIRE(outputs[1].entries.size() == 74);
    CHECK(outputs[1].entries != outputs[0].entries);
    for (std::size_t i = 0; i < outputs[0].entries.size(); ++i)
      CHECK(std::abs(outputs[1].entries[i] - outputs[0].entries[i]) < 1e-5);
    for (std::size_t i = 0; i < layout.size; ++i)
      CHECK(std::abs(gradients[1][i] - gradients[0][i]) < 1e-4);
  }
}

TEST_CASE("plain loops compute ramps and scales as the exact network does, and their gradients") {
  encoders::Ramps ramps;
  ramps.entries = {1, 0, 1};
  ramps.begin = {-1, 0, ratio(1, 2)};
  ramps.end = {ratio(1, 2), 1, 2};
  ramps.low = {-1, 0, 1};
  ramps.high = {1, 2, -2};
  const encoders::Network network = mlp(2, {4}, 1, "tanh", 0, {ramps, true});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Weights weights = initial_weights(weights_of(network, {}), seed);
    for (double& entry : weights.at("scale.weight").entries) entry = 2 * random.uniform() - 1;
    const Layout layout = make_layout(weights);
    std::vector<double> parameters = to_vector(layout, weights);
    Matrix inputs(5, 2);
    for (double& entry : inputs.entries) entry = 4 * random.uniform() - 2;
    const std::unique_ptr<Model> model = make_dense_model(network, layout);
    std::vector<double> gradient(layout.size);
    const auto sum_of_outputs = [&] {
      double sum = 0;
      for (const double entry : model->outputs(parameters, inputs).entries) sum += entry;
      return sum;
    };
    model->gradient(
        parameters, inputs, std::nullopt,
        [](const Matrix&, Matrix& derivatives) { derivatives.entries.assign(5, 1); }, gradient);
    for (std::size_t i = 0; i < layout.size; ++i) {
      CAPTURE(i);
      const double step = 1e-6, before = parameters[i];
      parameters[i] = before + step;
      const double above = sum_of_outputs();
      parameters[i] = before - step;
      const double below = sum_of_outputs();
      parameters[i] = before;
      CHECK(gradient[i] == doctest::Approx((above - below) / (2 * step)).epsilon(1e-6));
    }
    // Without the activation the network is exact.
    const encoders::Network linear = mlp(2, {}, 1, "relu", 0, {ramps, true});
    Weights known = initial_weights(weights_of(linear, {}), seed);
    known.at("scale.weight") = weights.at("scale.weight");
    const Matrix found = outputs(linear, make_dense_model, known, inputs);
    const Matrix floats = float_forward(linear, known, inputs, "").outputs;
    for (std::size_t i = 0; i < inputs.rows(); ++i) {
      const std::span<const double> row = inputs.row(i);
      const double exact =
          exact_forward(linear, known, {row.begin(), row.end()}, "").outputs[0].get_d();
      CHECK(found.entries[i] == doctest::Approx(exact).epsilon(1e-12));
      CHECK(floats.entries[i] == doctest::Approx(exact).epsilon(1e-5));
    }
  }
}

TEST_CASE("a ramp behind another layer passes derivatives on") {
  encoders::Ramps ramps;
  ramps.entries = {0};
  ramps.begin = {0};
  ramps.end = {2};
  ramps.low = {0};
  ramps.high = {6};
  // 3 x, then a ramp of slope 3: the sum of both at x is 3 x + 9 x for 0 < 3 x < 2.
  encoders::Network network = mlp(1, {}, 1);
  network.layers.push_back({"ramp", ramps, {"fc1"}});
  network.output = {"ramp"};
  const Weights weights{{"fc1.weight", {{1, 1}, {3}}}, {"fc1.bias", {{1}, {0}}}};
  const Layout layout = make_layout(weights);
  for (const double x : {-0.5, 0.25, 0.5, 0.9}) {
    CAPTURE(x);
    Matrix inputs(1, 1);
    inputs.entries = {x};
    std::vector<double> gradient(layout.size);
    make_dense_model(network, layout)
        ->gradient(
            to_vector(layout, weights), inputs, std::nullopt,
            [](const Matrix&, Matrix& derivatives) {
              derivatives.entries = {1, 1};
            },
            gradient);
    const bool inside = 3 * x > 0 && 3 * x < 2;
    CHECK(to_weights(layout, gradient).at("fc1.bias").entries[0] == (inside ? 4 : 1));
  }
}

TEST_CASE("a network that is no chain has no plain loops") {
  encoders::Network network = mlp(1, {2}, 1);
  network.layers.push_back({"sum", encoders::Add{}, {"fc2", "fc2"}});
  network.output = {"sum"};
  const Layout layout = make_layout(two_units());
  CHECK(try_dense_model(network, layout, Precision::doubles) == nullptr);
  CHECK_THROWS_AS(make_dense_model(network, layout), Error);
}
