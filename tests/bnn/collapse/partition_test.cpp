#include "bnn/collapse/partition.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "tests/bnn/random_samples.h"

namespace wmi::bnn {
namespace {

const Head head{"fc2", "fc1", 0};

TEST_CASE("the head is the output's linear layer and the ReLU layer before it") {
  const Head found = find_head(small_network());
  CHECK(found.output == "fc2");
  CHECK(found.hidden == "fc1");
  CHECK(found.slope == 0);
  CHECK(first_layer(small_network(), "fc1"));
  CHECK(!first_layer(small_network(), "fc2"));
  encoders::Network smooth = small_network();
  smooth.layers[1].layer = encoders::Tanh{};
  CHECK(find_head(smooth).hidden == "");
  encoders::Network open = small_network();
  open.output = {"relu1"};
  CHECK_THROWS_AS(find_head(open), Error);
}

TEST_CASE("partitions are read with their number of weights") {
  CHECK(parse_partition("none", head).layers == UnknownLayers::none);
  CHECK(parse_partition("all", head).layers == UnknownLayers::all);
  const Partition last = parse_partition("last:3+bias", head);
  CHECK(last.layers == UnknownLayers::last);
  CHECK(last.most == 4);
  CHECK(last.bias);
  CHECK(!last.one_unit);
  const Partition second = parse_partition("second:2+bias", head);
  CHECK(second.layers == UnknownLayers::second);
  CHECK(second.most == 3);
  CHECK(second.one_unit);
  const Partition named = parse_partition("fc1.weight[0,0] fc1.bias[2]", head);
  CHECK(named.layers == UnknownLayers::second);
  CHECK(named.names == std::vector<std::string>{"fc1.weight[0,0]", "fc1.bias[2]"});
}

TEST_CASE("texts that are no partition are refused") {
  CHECK_THROWS_AS(parse_partition("last:0", head), Error);
  CHECK_THROWS_AS(parse_partition("weights", head), Error);
  CHECK_THROWS_AS(parse_partition("fc9.weight[0,0]", head), Error);
  CHECK_THROWS_AS(parse_partition("fc1.weight[0,0] fc2.bias[0]", head), Error);
}

}  // namespace
}  // namespace wmi::bnn
