#include "encoders/network.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "encoders/exact.h"
#include "tests/encoders/random_network.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

/// One layer, named `it`.
Network single(const Layer& it, const Shape& input,
               std::map<std::string, Tensor<Rational>, std::less<>> parameters = {}) {
  return {input, {{"it", it, {"input"}}}, {"it"}, std::move(parameters)};
}

std::vector<Tensor<Rational>> run_on_zeros(const Network& network) {
  return run_exactly(network, Tensor<Rational>::filled(network.input, 0));
}

Tensor<Rational> zeros(const Shape& shape) { return Tensor<Rational>::filled(shape, 0); }

/// fc1 -> relu1 -> fc2, and back to fc1's output: y = relu(2x - 1) * 3 + (2x - 1).
Network residual() {
  return {
      {1},
      {{"fc1", Linear{}, {"input"}},
       {"relu1", Relu{}, {"fc1"}},
       {"fc2", Linear{}, {"relu1"}},
       {"sum", Add{}, {"fc2", "fc1"}}},
      {"sum"},
      {{"fc1.weight", {{1, 1}, {2}}}, {"fc1.bias", {{1}, {-1}}}, {"fc2.weight", {{1, 1}, {3}}}}};
}

}  // namespace

TEST_CASE("a residual network is a list of layers") {
  CHECK(run_exactly(residual(), {{1}, {2}})[0] == Tensor<Rational>({1}, {12}));
  CHECK(run_exactly(residual(), {{1}, {0}})[0] == Tensor<Rational>({1}, {-1}));
}

TEST_CASE("a network has as many outputs as it names, and the input may be one") {
  Network network = residual();
  network.output = {"sum", "relu1", "input"};
  const auto outputs = run_exactly(network, {{1}, {2}});
  REQUIRE(outputs.size() == 3);
  CHECK(outputs[1].entries[0] == 3);
  CHECK(outputs[2].entries[0] == 2);
}

TEST_CASE("types of layers have distinct names") {
  const auto types = layer_types();
  CHECK(std::set<std::string_view>(types.begin(), types.end()).size() == types.size());
}

TEST_CASE("an unknown type is refused with a list of the known ones") {
  try {
    layer("rleu");
    FAIL("accepted");
  } catch (const Error& error) {
    const std::string what = error.what();
    CHECK(what.starts_with("no layer of type 'rleu'; there are linear, conv2d, "));
    for (const std::string_view type : layer_types()) CHECK(what.find(type) != std::string::npos);
  }
}

TEST_CASE("every type refuses unknown attributes") {
  for (const std::string_view type : layer_types()) {
    CAPTURE(type);
    // What some type needs, those that do not need it refuse as well.
    CHECK_THROWS_AS(layer(type, {{"colour", Rational(3)}}), Error);
  }
  CHECK_THROWS_WITH_AS(layer("relu", {{"colour", Rational(3)}}),
                       "attribute 'colour' means nothing to this type of layer", Error);
}

TEST_CASE("attributes out of range are refused by name") {
  const auto refused = [](std::string_view type, Values values, const char* what) {
    CAPTURE(type);
    CHECK_THROWS_WITH_AS(layer(type, std::move(values)), what, Error);
  };
  using List = std::vector<Rational>;
  refused("leaky_relu", {{"slope", Rational(2)}}, "attribute 'slope' must be between 0 and 1");
  refused("hardtanh", {{"min", Rational(2)}}, "attribute 'min' must not be above 'max'");
  refused("conv2d", {{"groups", Rational(0)}}, "attribute 'groups' must be above 0");
  refused("conv2d", {{"stride", Rational(0)}}, "attribute 'stride' must be above 0");
  refused("conv2d", {{"dilation", Rational(0)}}, "attribute 'dilation' must be above 0");
  refused("max_pool", {{"kernel", Rational(2)}, {"ceil_mode", Rational(2)}},
          "attribute 'ceil_mode' must be 0 or 1");
  refused("sign", {{"at_zero", Rational(2)}}, "attribute 'at_zero' must be 0 or 1");
  refused("rearrange", {}, "attribute 'shape' is missing");
  refused("rearrange", {{"shape", List{0}}}, "attribute 'shape' must be above 0");
  refused("rearrange", {{"shape", List{2}}, {"entries", List{0}}},
          "attribute 'entries' has 1 numbers for a shape [2]");
  refused("rearrange", {{"shape", List{1}}, {"entries", List{-2}}},
          "attribute 'entries' must have natural numbers, not -2");
  refused("maxout", {}, "attribute 'pieces' is missing");
  refused("maxout", {{"pieces", Rational(0)}}, "attribute 'pieces' must be above 0");
  refused("max_pool", {}, "attribute 'kernel' is missing");
  refused("max_pool", {{"kernel", Rational(0)}}, "attribute 'kernel' must be above 0");
  refused("avg_pool", {{"kernel", Rational(3)}, {"padding", Rational(2)}},
          "attribute 'padding' must be at most half of 'kernel'");
  refused("avg_pool", {{"kernel", Rational(3)}, {"count_include_pad", Rational(2)}},
          "attribute 'count_include_pad' must be 0 or 1");
  refused("batch_norm", {{"eps", Rational(-1)}}, "attribute 'eps' must not be below 0");
  refused("dropout", {{"p", Rational(1)}}, "attribute 'p' must be at least 0 and below 1");
  refused("dropout", {{"mode", std::string("training")}},
          "attribute 'mode' must be evaluation or masks, not 'training'");
  refused("quantiser", {{"step", Rational(0)}, {"low", Rational(0)}, {"high", Rational(1)}},
          "attribute 'step' must be above 0");
  refused("quantiser", {{"step", Rational(2)}, {"low", Rational(0)}, {"high", Rational(1)}},
          "attribute 'high' must be a number of steps above 'low'");
  refused("quantiser", {{"step", Rational(1)}, {"low", Rational(2)}, {"high", Rational(1)}},
          "attribute 'low' must not be above 'high'");
  refused("quantiser", {{"step", Rational(1)}, {"low", Rational(0)}, {"high", Rational(100'000)}},
          "more than 65536 steps");
  refused("piecewise_linear", {{"at", List{}}, {"values", List{}}},
          "attribute 'at' must not be empty");
  refused("piecewise_linear", {{"at", List{0, 1}}, {"values", List{0}}},
          "attributes 'at' and 'values' must be equally long");
  refused("piecewise_linear", {{"at", List{1, 1}}, {"values", List{0, 1}}},
          "attribute 'at' must ascend");
}

TEST_CASE("shapes that do not fit are refused, naming the layer") {
  const auto refused = [](const Network& network, const char* what) {
    CHECK_THROWS_WITH_AS(run_on_zeros(network), what, Error);
  };
  refused(single(Linear{}, {3}, {{"it.weight", zeros({2, 4})}}),
          "it: weight [2, 4] does not fit an input [3]");
  refused(single(Linear{}, {3}, {{"it.weight", zeros({2, 3})}, {"it.bias", zeros({3})}}),
          "it: bias [3] does not fit a weight [2, 3]");
  refused(single(layer("conv2d"), {1, 3, 3}, {{"it.weight", zeros({1, 2, 2, 2})}}),
          "it: weight [1, 2, 2, 2] does not fit an input [1, 3, 3]");
  refused(single(layer("conv2d"), {1, 3, 3},
                 {{"it.weight", zeros({2, 1, 2, 2})}, {"it.bias", zeros({1})}}),
          "it: bias [1] does not fit a weight [2, 1, 2, 2]");
  refused(single(layer("conv2d"), {1, 1, 3}, {{"it.weight", zeros({1, 1, 2, 2})}}),
          "it: a window [2, 2] does not fit an input [1, 1, 3]");
  refused(single(layer("conv2d", {{"padding", Rational(10'000)}}), {1, 3, 3},
                 {{"it.weight", zeros({1, 1, 2, 2})}}),
          "it: windows [2, 2] see too many entries of an input [1, 3, 3] and its padding");
  refused(single(layer("max_pool",
                       {{"kernel", Rational(1'000'000'000)}, {"padding", Rational(500'000'000)}}),
                 {1, 3, 3}),
          "it: a value with too many entries");
  refused(single(layer("rearrange", {{"shape", std::vector<Rational>{5}}}), {4}),
          "it: an input [4] has not the entries for a shape [5]");
  refused(single(layer("affine"), {4}, {{"it.bias", zeros({3})}}),
          "it: a tensor [3] cannot be broadcast to [4]");
  refused(single(layer("affine"), {4}, {{"it.divisor", zeros({4})}}), "it: a division by 0");
  refused(single(layer("max_pool", {{"kernel", Rational(2)}}), {4}),
          "it: takes [channels, height, width] and not an input [4]");
  refused(single(layer("avg_pool", {{"kernel", Rational(4)}}), {1, 3, 5}),
          "it: a window [4, 4] does not fit an input [1, 3, 5]");
  refused(single(layer("maxout", {{"pieces", Rational(2)}}), {3}),
          "it: an input [3] does not fall into groups of 2");
  refused(single(layer("prelu"), {3}, {{"it.weight", zeros({2})}}),
          "it: weight [2] does not fit an input [3]");
  refused(single(layer("batch_norm"), {3},
                 {{"it.running_mean", zeros({3})}, {"it.running_var", zeros({2})}}),
          "it: running_var [2] does not fit an input [3]");
  refused(single(layer("batch_norm", {{"eps", Rational(0)}}), {1},
                 {{"it.running_mean", zeros({1})}, {"it.running_var", zeros({1})}}),
          "it: there is no 1/sqrt of 0");
  refused(single(layer("concatenate", {{"axis", Rational(1)}}), {3}),
          "it: an input [3] has no axis 1");

  Network two = single(layer("concatenate"), {2, 3});
  two.layers.insert(two.layers.begin(), {"flat", layer("flatten"), {"input"}});
  two.layers[1].from = {"input", "flat"};
  refused(two, "it: cannot join [6] to [2, 3] along axis 0");
  two.layers[1].layer = Add{};
  refused(two, "it: cannot add [6] to [2, 3]");
  two.layers[1].layer = Relu{};
  refused(two, "it: takes one input, not 2");
}

TEST_CASE("a missing tensor is reported by name, with the layer") {
  const auto missed = [](std::string_view type, const Shape& shape, const char* what) {
    CHECK_THROWS_WITH_AS(run_on_zeros(single(layer(type), shape)), what, Error);
  };
  missed("linear", {3}, "it: there is no tensor 'it.weight'");
  missed("conv2d", {1, 3, 3}, "it: there is no tensor 'it.weight'");
  missed("prelu", {3}, "it: there is no tensor 'it.weight'");
  missed("batch_norm", {3}, "it: there is no tensor 'it.running_var'");
}

TEST_CASE("an input of the wrong shape is refused") {
  CHECK_THROWS_WITH_AS(run_exactly(residual(), {{2}, {1, 2}}),
                       "the input has shape [2] and not [1]", Error);
}

TEST_CASE("names are checked") {
  const auto refused = [](const Network& network, const char* what) {
    CHECK_THROWS_WITH_AS(check_names(network), what, Error);
  };
  CHECK_NOTHROW(check_names(residual()));
  Network network = residual();
  network.layers[2].from = {"sum"};
  refused(network, "fc2: its input 'sum' is no earlier layer");
  network = residual();
  network.layers[1].name = "fc1";
  refused(network, "two layers are named 'fc1'; 'input' is taken as well");
  network = residual();
  network.layers[0].from.clear();
  refused(network, "fc1: has no input");
  network = residual();
  network.output = {"fc3"};
  refused(network, "the output 'fc3' is no layer");
  network = residual();
  network.output.clear();
  refused(network, "the network has no output");
  network = residual();
  network.parameters["fc3.weight"] = zeros({1});
  refused(network, "the tensor 'fc3.weight' belongs to no layer");
}

TEST_CASE("dropout in mode masks needs a mask for each entry") {
  const Network network = single(layer("dropout", {{"mode", std::string("masks")}}), {2});
  CHECK(run_exactly(network, {{2}, {3, 5}}, {true, false})[0] == Tensor<Rational>({2}, {6, 0}));
  CHECK_THROWS_WITH_AS(run_exactly(network, {{2}, {3, 5}}, {true}),
                       "it: dropout needs a mask for each entry", Error);
}

TEST_CASE("1/sqrt is the nearest double") {
  CHECK(inverse_root(4) == ratio(1, 2));
  CHECK(inverse_root(ratio(1, 9)) == 3);
  CHECK(inverse_root(power(Rational(2), 3000)) == 1 / power(Rational(2), 1500));
  // The true value lies between the midpoints to the neighbouring doubles.
  for (const Rational& x : {Rational(2), Rational(3), ratio(1, 3), ratio(100'001, 100'000),
                            Rational(12345678), ratio(1, 987654321), ratio(7, 1 << 20)}) {
    const double found = inverse_root(x).get_d();
    CHECK(Rational(found) == inverse_root(x));
    const Rational below = (Rational(found) + Rational(std::nextafter(found, 0))) / 2;
    const Rational above = (Rational(found) + Rational(std::nextafter(found, 1e300))) / 2;
    CHECK(below * below * x <= 1);
    CHECK(above * above * x >= 1);
  }
  // 1/sqrt(x) = 1 + 2^-53, in the middle of two doubles: the even one.
  const Rational middle = 1 + 1 / power(Rational(2), 53);
  CHECK(inverse_root(1 / (middle * middle)) == 1);
  const Rational next = 1 + 3 / power(Rational(2), 53);
  CHECK(inverse_root(1 / (next * next)) == 1 + 4 / power(Rational(2), 53));
  CHECK_THROWS_WITH_AS(inverse_root(0), "there is no 1/sqrt of 0", Error);
  CHECK_THROWS_WITH_AS(inverse_root(-1), "there is no 1/sqrt of -1", Error);
}

TEST_CASE("values that grow from layer to layer are refused before they take memory") {
  // The value of c[i] is that of c[i - 1] twice: 2^i entries, which no memory has for i = 60.
  Network network{{1}, {}, {"input"}, {}};
  for (int i = 1; i <= 60; ++i) {
    const std::string before = network.output[0];
    network.layers.push_back({"c" + std::to_string(i), Concatenate{0}, {before, before}});
    network.output = {network.layers.back().name};
  }
  // 1 + 2 + ... + 2^21 < 2^23, and with the next two it is more.
  CHECK_THROWS_WITH_AS(run_on_zeros(network),
                       "c23: the values of the layers up to here have more than 8388608 entries, "
                       "the cap 'entries'",
                       Error);
  // One value that is too large by itself is not made.
  network.layers.resize(10);
  network.layers.push_back({"wide", Concatenate{0}, std::vector<std::string>(1 << 14, "c10")});
  network.output = {"wide"};
  CHECK_THROWS_AS(run_on_zeros(network), Error);
  network.layers.back().from.resize(8);
  CHECK(run_on_zeros(network)[0].size() == 8 << 10);
}
