#include "bnn/torch/tensor_model.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "solver/terms/error.h"
#include "tests/bnn/random_samples.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

/// The gradient of the sum of squares of the outputs, halved.
std::vector<double> square_gradient(Model& model, const std::vector<double>& parameters,
                                    const Matrix& inputs) {
  std::vector<double> gradient(parameters.size(), 7);  // what is there before does not matter
  model.gradient(
      parameters, inputs, std::nullopt,
      [](const Matrix& outputs, Matrix& derivatives) { derivatives = outputs; }, gradient);
  return gradient;
}

}  // namespace

TEST_CASE("plain loops and autograd give the same outputs and gradients") {
  for (const char* activation : {"relu", "leaky_relu", "tanh", "sigmoid"})
    for (const std::size_t rows : {1u, 5u, 30u}) {
      CAPTURE(activation);
      CAPTURE(rows);
      Random random(rows);
      const encoders::Network network = mlp(3, {7, 4}, 2, activation);
      const Weights weights = initial_weights(weights_of(network, Observation()), rows);
      const Layout layout = make_layout(weights);
      std::vector<double> parameters = to_vector(layout, weights);
      for (double& parameter : parameters) parameter += 0.1 * random.normal();  // biases too
      const Matrix inputs = random_matrix(rows, 3, random);
      const std::unique_ptr<Model> dense = make_dense_model(network, layout);
      const std::unique_ptr<Model> tensors = make_tensor_model(network, layout);
      REQUIRE(dense);
      const Matrix left = dense->outputs(parameters, inputs);
      const Matrix right = tensors->outputs(parameters, inputs);
      REQUIRE(left.entries.size() == 2 * rows);
      for (std::size_t i = 0; i < left.entries.size(); ++i)
        CHECK(left.entries[i] == doctest::Approx(right.entries[i]).epsilon(1e-10));
      const std::vector<double> first = square_gradient(*dense, parameters, inputs);
      const std::vector<double> second = square_gradient(*tensors, parameters, inputs);
      for (std::size_t i = 0; i < first.size(); ++i)
        CHECK(first[i] == doctest::Approx(second[i]).epsilon(1e-10));
    }
}

TEST_CASE("dropout drops the same units forward and backward in training, and nothing otherwise") {
  const encoders::Network network = mlp(1, {400}, 1, "relu", 0.25);
  Weights weights = weights_of(network, Observation());
  for (const char* name : {"fc1.weight", "fc2.weight"})
    for (double& entry : weights.find(name)->second.entries) entry = 1;
  const Layout layout = make_layout(weights);
  const std::vector<double> parameters = to_vector(layout, weights);
  Matrix inputs(1, 1);
  inputs.entries = {1};
  for (const auto& model :
       {make_dense_model(network, layout), make_tensor_model(network, layout)}) {
    REQUIRE(model);
    CHECK(model->outputs(parameters, inputs).entries[0] == doctest::Approx(400));
    std::vector<double> gradient(layout.size);
    double output = 0;
    model->gradient(
        parameters, inputs, 3,
        [&](const Matrix& outputs, Matrix& derivatives) {
          output = outputs.entries[0];
          derivatives.entries[0] = 1;
        },
        gradient);
    // A unit that is kept counts 4/3; about 300 are. 5 standard deviations are 43 units.
    CHECK(std::abs(output - 400) < 60);
    CHECK(output != 400);
    double sum = 0;
    for (std::size_t i = 0; i < 400; ++i) sum += gradient[layout.at("fc2.weight").offset + i];
    CHECK(sum == doctest::Approx(output));
  }
}

TEST_CASE("a network that is no chain is left to tensors") {
  encoders::Network network = mlp(2, {2}, 2);
  network.layers.push_back({"sum", encoders::Add{}, {"fc2", "relu1"}});
  network.output = {"sum"};
  const Weights weights = initial_weights(weights_of(network, Observation()), 1);
  const Layout layout = make_layout(weights);
  CHECK(try_dense_model(network, layout, Precision::doubles) == nullptr);
  CHECK_THROWS_AS(make_dense_model(network, layout), Error);
  CHECK(outputs(network, make_tensor_model, weights, Matrix(3, 2)).columns == 2);
}
