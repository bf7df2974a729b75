#include "bnn/collapse/float_forward.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "tests/bnn/random_samples.h"

namespace wmi::bnn {
namespace {

TEST_CASE("the network's activations in floats are near the exact ones") {
  const encoders::Network network = small_network();
  const std::vector<Weights> samples = trajectory(3, 1, 0);
  const Dataset rows = random_rows(4, 3);
  const Activations found = float_forward(network, samples[0], rows.inputs, "fc2");
  for (std::size_t i = 0; i < 3; ++i) {
    const ExactActivations exact =
        exact_forward(network, samples[0],
                      {Rational(rows.inputs.at(i, 0)), Rational(rows.inputs.at(i, 1))}, "fc2");
    REQUIRE(exact.entering.size() == 3);
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(std::abs(found.entering.at(i, j) - exact.entering[j].get_d()) < 1e-5);
    for (std::size_t j = 0; j < 2; ++j)
      CHECK(std::abs(found.outputs.at(i, j) - exact.outputs[j].get_d()) < 1e-5);
  }
}

TEST_CASE("a row has the same bits by itself and among others") {
  const encoders::Network network = mlp(2, {7, 5}, 2, "tanh");
  const Weights weights = initial_weights(weights_of(network, Observation()), 3);
  const Matrix inputs = random_rows(5, 600).inputs;
  const Activations all = float_forward(network, weights, inputs, "fc3");
  REQUIRE(all.outputs.rows() == 600);
  for (const std::size_t i : {0u, 255u, 256u, 599u}) {
    Matrix one(1, 2);
    std::ranges::copy(inputs.row(i), one.row(0).begin());
    const Activations found = float_forward(network, weights, one, "fc3");
    CHECK(std::ranges::equal(found.outputs.row(0), all.outputs.row(i)));
    CHECK(std::ranges::equal(found.entering.row(0), all.entering.row(i)));
  }
  CHECK(float_forward(network, weights, Matrix(0, 2), "fc3").outputs.columns == 2);
}

}  // namespace
}  // namespace wmi::bnn
