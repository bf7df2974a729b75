#include "bnn/torch/forward.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/bnn/random_samples.h"

namespace wmi::bnn {
namespace {

using encoders::Network;
using encoders::Tensor;

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
