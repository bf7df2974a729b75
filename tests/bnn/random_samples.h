// A small network with random samples of its weights, and rows of data.

#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/weights.h"
#include "bnn/numeric/random.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// Two inputs, three ReLUs, mean and raw variance.
inline encoders::Network small_network() {
  return {{2},
          {{"fc1", encoders::Linear{}, {"input"}},
           {"relu1", encoders::Relu{}, {"fc1"}},
           {"fc2", encoders::Linear{}, {"relu1"}}},
          {"fc2"},
          {}};
}

/// Of that network, with so many outputs.
inline Weights random_weights(std::mt19937& random, std::size_t outputs = 2) {
  std::normal_distribution<double> normal;
  const auto tensor = [&](encoders::Shape shape) {
    encoders::Tensor<double> result = encoders::Tensor<double>::filled(shape, 0);
    // Floats, as a sample has them.
    for (double& entry : result.entries) entry = static_cast<float>(normal(random));
    return result;
  };
  return {{"fc1.weight", tensor({3, 2})},
          {"fc1.bias", tensor({3})},
          {"fc2.weight", tensor({outputs, 3})},
          {"fc2.bias", tensor({outputs})}};
}

/// Samples that lie around one.
inline std::vector<Weights> trajectory(unsigned seed, std::size_t count, double spread,
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

/// Targets near the size of the first input.
inline Dataset random_rows(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Dataset result{Matrix(count, 2), {}};
  for (double& entry : result.inputs.entries) entry = normal(random);
  for (std::size_t i = 0; i < count; ++i)
    result.targets.push_back(std::abs(result.inputs.at(i, 0)) + 0.3 * normal(random));
  return result;
}

inline Matrix random_matrix(std::size_t rows, std::size_t columns, Random& random) {
  Matrix result(rows, columns);
  for (double& entry : result.entries) entry = random.normal();
  return result;
}

}  // namespace wmi::bnn
