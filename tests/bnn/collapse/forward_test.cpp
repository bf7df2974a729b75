#include "bnn/collapse/forward.h"

#include <doctest/doctest.h>

#include "encoders/network.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using encoders::Network;

/// max(0, x - y) and max(0, 2 y), then their difference.
const Network network{{2},
                      {{"fc1", encoders::Linear{}, {"input"}},
                       {"relu1", encoders::Relu{}, {"fc1"}},
                       {"fc2", encoders::Linear{}, {"relu1"}}},
                      {"fc2"},
                      {}};
const Weights weights{{"fc1.weight", {{2, 2}, {1, -1, 0, 2}}},
                      {"fc1.bias", {{2}, {0, 0}}},
                      {"fc2.weight", {{1, 2}, {1, -1}}},
                      {"fc2.bias", {{1}, {0.5}}},
                      {"likelihood.raw_variance", {{1}, {0}}}};

TEST_CASE("a network runs in exact numbers, with the input of a layer") {
  const ExactActivations found = exact_forward(network, weights, {3, ratio(1, 3)}, "fc2");
  CHECK(found.entering == std::vector<Rational>{ratio(8, 3), ratio(2, 3)});
  CHECK(found.outputs == std::vector<Rational>{ratio(5, 2)});
  CHECK(exact_forward(network, weights, {3, 1}, "").entering.empty());
}

TEST_CASE("a sample's weights become the network's parameters, the likelihood's do not") {
  const Network known = with_weights(network, weights);
  CHECK(known.parameters.size() == 4);
  CHECK(known.parameters.at("fc2.bias").entries == std::vector<Rational>{ratio(1, 2)});
}

TEST_CASE("the value that enters a layer has a name; other layers are refused") {
  CHECK(entering_value(network, "fc2") == "relu1");
  CHECK_THROWS_AS(entering_value(network, "fc3"), Error);
  Network sum = network;
  sum.layers.push_back({"sum", encoders::Add{}, {"fc2", "fc2"}});
  CHECK_THROWS_AS(entering_value(sum, "sum"), Error);
}

}  // namespace
}  // namespace wmi::bnn
