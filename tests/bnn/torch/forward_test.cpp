#include "bnn/torch/forward.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bnn/data/dataset.h"

namespace wmi::bnn {
namespace {

using encoders::Network;
using encoders::Tensor;

/// Two inputs, three ReLUs, mean and raw variance.
Network small_network() {
  return {{2},
          {{"fc1", encoders::Linear{}, {"input"}},
           {"relu1", encoders::Relu{}, {"fc1"}},
           {"fc2", encoders::Linear{}, {"relu1"}}},
          {"fc2"},
          {}};
}

Weights random_weights(std::mt19937& random, std::size_t outputs = 2) {
  std::normal_distribution<double> normal;
  const auto tensor = [&](encoders::Shape shape) {
    Tensor<double> result = Tensor<double>::filled(shape, 0);
    // Floats, as a sample has them.
    for (double& entry : result.entries) entry = static_cast<float>(normal(random));
    return result;
  };
  return {{"fc1.weight", tensor({3, 2})},
          {"fc1.bias", tensor({3})},
          {"fc2.weight", tensor({outputs, 3})},
          {"fc2.bias", tensor({outputs})}};
}

std::vector<Weights> trajectory(unsigned seed, std::size_t count, double spread,
                                std::size_t outputs = 2) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const Weights start = random_weights(random, outputs);
  std::vector<Weights> result(count, start);
  for (Weights& weights : result)
    for (auto& [name, tensor] : weights)
      for (double& entry : tensor.entries)
        entry = static_cast<float>(entry + spread * normal(random));
  return result;
}

Dataset random_rows(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Dataset result{Matrix(count, 2), {}};
  for (double& entry : result.inputs.entries) entry = normal(random);
  for (std::size_t i = 0; i < count; ++i)
    result.targets.push_back(std::abs(result.inputs.at(i, 0)) + 0.3 * normal(random));
  return result;
}

TEST_CASE("the network's activations in floats are near the exact ones") {
  const Network network = small_network();
  const std::vector<Weights> samples = trajectory(3, 1, 0);
  const Dataset rows = random_rows(4, 3);
  const Activations found = torch_forward(network, samples[0], rows.inputs, "fc2");
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

}  // namespace
}  // namespace wmi::bnn
