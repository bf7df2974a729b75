#include "bnn/collapse/float_algebra.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bnn/numeric/products.h"
#include "encoders/exact.h"
#include "tests/encoders/layer_cases.h"

namespace wmi::bnn {
namespace {

using encoders::LayerCase;
using encoders::Network;
using encoders::Tensor;

Tensor<Rational> exactly(const LayerCase& layer_case, std::string_view type) {
  const Network network = layer_case.network(type);
  encoders::ExactAlgebra algebra(network, layer_case.masks);
  algebra.enter("layer");
  return encoders::run_layer<encoders::ExactAlgebra>(network.layers[0].layer, algebra,
                                                     layer_case.inputs);
}

/// The layer on a batch of the same input, row by row as often as there are lanes.
FloatAlgebra::Value run_case(const LayerCase& layer_case, std::string_view type) {
  const Network network = layer_case.network(type);
  FloatAlgebra::Parameters parameters;
  for (const auto& [name, tensor] : network.parameters) {
    FloatAlgebra::Value value{tensor.shape, {}};
    for (const Rational& entry : tensor.entries)
      value.entries.push_back(static_cast<float>(entry.get_d()));
    parameters.emplace(name, value);
  }
  FloatAlgebra algebra(parameters, float_lanes);
  algebra.enter("layer");
  std::vector<FloatAlgebra::Value> inputs;
  for (const Tensor<Rational>& input : layer_case.inputs) {
    FloatAlgebra::Value value{input.shape, {}, true};
    for (const Rational& entry : input.entries)
      value.entries.insert(value.entries.end(), float_lanes, static_cast<float>(entry.get_d()));
    inputs.push_back(std::move(value));
  }
  return encoders::run_layer<FloatAlgebra>(network.layers[0].layer, algebra, inputs);
}

TEST_CASE("every layer computes in floats what it does in exact numbers, up to rounding") {
  for (const std::string_view type : encoders::layer_types())
    for (unsigned seed = 0; seed < 40; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = encoders::random_case(type, random);
      if (!layer_case.masks.empty()) continue;  // dropout drops nothing here
      // Sums of small fractions: steps are where exact numbers have them.
      const bool smooth = layer_case.slack != 0;
      const Tensor<Rational> exact = exactly(layer_case, type);
      const FloatAlgebra::Value found = run_case(layer_case, type);
      REQUIRE(found.shape == layer_case.expected.shape);
      for (std::size_t i = 0; i < exact.size(); ++i)
        for (std::size_t row = 0; row < float_lanes; ++row) {
          const double expected = (smooth ? layer_case.expected : exact).entries[i].get_d();
          const double value = found.entries[found.batched ? i * float_lanes + row : i];
          REQUIRE(std::abs(value - expected) <=
                  layer_case.slack.get_d() + 1e-5 * (1 + std::abs(expected)));
        }
    }
}

}  // namespace
}  // namespace wmi::bnn
