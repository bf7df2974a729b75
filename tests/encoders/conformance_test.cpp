// Every type of layer in every meaning, on random attributes, shapes, weights and inputs.

#include <doctest/doctest.h>

#include "encoders/exact.h"
#include "tests/encoders/layer_cases.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

constexpr unsigned cases = 60;

Tensor<Rational> run_exact_layer(const LayerCase& layer_case, std::string_view type) {
  const Network network = layer_case.network(type);
  ExactAlgebra algebra(network, layer_case.masks);
  algebra.enter("layer");
  return run_layer<ExactAlgebra>(network.layers[0].layer, algebra, layer_case.inputs);
}

}  // namespace

TEST_CASE("every layer computes in exact numbers what plain loops do") {
  for (const std::string_view type : layer_types())
    for (unsigned seed = 0; seed < cases; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = random_case(type, random);
      const Tensor<Rational> found = run_exact_layer(layer_case, type);
      REQUIRE(found.shape == layer_case.expected.shape);
      for (std::size_t i = 0; i < found.size(); ++i)
        REQUIRE(found.entries[i] == layer_case.expected.entries[i]);
    }
}
