#include "frontends/networks/network.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <random>
#include <set>
#include <sstream>

#include "encoders/exact.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "tests/frontends/reading.h"
#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;
using encoders::Network;
using encoders::Tensor;

namespace {

namespace fs = std::filesystem;

const std::string residual =
    "{\"input\": [2],\n"
    " \"layers\": [{\"name\": \"fc1\", \"type\": \"linear\"},\n"
    "  {\"name\": \"relu1\", \"type\": \"relu\"},\n"
    "  {\"name\": \"leaky\", \"type\": \"leaky_relu\", \"from\": [\"fc1\"], \"slope\": 0.1},\n"
    "  {\"name\": \"sum\", \"type\": \"add\", \"from\": [\"relu1\", \"leaky\"]}],\n"
    " \"output\": [\"sum\"]}";

Safetensors residual_file() {
  return {{{"fc1.weight", {{2, 2}, {1, 2, -1, 0}}}, {"fc1.bias", {{2}, {0, ratio(1, 2)}}}},
          {{"network", residual}}};
}

/// With this description in the metadata, and these tensors.
Network network_of(const std::string& description, Safetensors file = {}) {
  file.metadata["network"] = description;
  return to_network(parse_safetensors(to_bytes(file)));
}

/// What is wrong with a description, in the metadata.
std::string refusal(const std::string& description, const Safetensors& file = {}) {
  return complaint([&] { network_of(description, file); });
}

std::vector<Rational> output(const Network& network, const std::vector<Rational>& input) {
  encoders::ExactAlgebra algebra(network);
  std::vector<Rational> result;
  for (const Tensor<Rational>& value : encoders::run(network, algebra, {network.input, input}))
    result.insert(result.end(), value.entries.begin(), value.entries.end());
  return result;
}

/// What a command prints.
std::string printed(const std::string& command) {
  const Finished finished = run(command);
  CAPTURE(finished.errors);
  REQUIRE(finished.exit == 0);
  return finished.output;
}

const std::string document_path = source_directory().string() + "/docs/network.md";

/// The fenced blocks of docs/network.md in this language.
std::vector<std::string> blocks(const std::string& language) {
  std::istringstream document(read_file(document_path));
  std::vector<std::string> result;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("```")) {
      inside = line == "```" + language;
      if (inside) result.emplace_back();
    } else if (inside) {
      result.back() += line + "\n";
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a network is read from the metadata of its tensors") {
  const Network network = network_of(residual, residual_file());
  REQUIRE(network.layers.size() == 4);
  CHECK(network.input == encoders::Shape{2});
  CHECK(network.layers[0].from == std::vector<std::string>{"input"});
  CHECK(network.layers[1].from == std::vector<std::string>{"fc1"});
  CHECK(std::get<encoders::LeakyRelu>(network.layers[2].layer).slope == ratio(1, 10));
  CHECK(network.output == std::vector<std::string>{"sum"});
  // fc1 = (1 + 2*1, -1 + 1/2) = (3, -1/2): relu (3, 0), leaky (3, -1/20).
  CHECK(output(network, {1, 1}) == std::vector<Rational>{6, ratio(-1, 20)});
}

TEST_CASE("a network may be described in a file beside its tensors; metadata has precedence") {
  const TemporaryDirectory folder;
  Safetensors file = residual_file();
  file.metadata.clear();
  const std::string path = folder.file("net.safetensors", to_bytes(file));
  CHECK(complaint([&] { read_network(path); }) ==
        "no network: it has no metadata 'network', and there is no 'net.json' beside it");
  folder.file("net.json", residual);
  CHECK(output(read_network(path), {1, 1}) == std::vector<Rational>{6, ratio(-1, 20)});
  folder.file("net.json", "{\"input\": [2],\n \"layers\": [{\"name\": \"a\", \"type\": \"b\"}]}");
  CHECK(complaint([&] {
          read_network(path);
        }).starts_with("in 'net.json' at 2:13: a: no layer of type 'b'; there are linear, "));
  write_safetensors(path, residual_file());
  CHECK(read_network(path).layers.size() == 4);
}

TEST_CASE("a network may have no layers and no output names") {
  const Network identity = network_of(R"({"input": [3], "layers": []})");
  CHECK(output(identity, {1, 2, 3}) == std::vector<Rational>{1, 2, 3});
  const Network two = network_of(
      R"({"input": [1], "layers": [{"name": "a", "type": "relu"}, {"name": "b", "type": "relu"}],
          "output": ["input", "b"]})");
  CHECK(output(two, {-1}) == std::vector<Rational>{-1, 0});
  const Network one = network_of(
      R"({"input": [1], "layers": [{"name": "a", "type": "relu", "from": "input"}], "output": "a"})");
  CHECK(output(one, {-1}) == std::vector<Rational>{0});
}

TEST_CASE("attributes are numbers, lists, words and booleans") {
  const auto slope = [](const std::string& text) {
    return std::get<encoders::LeakyRelu>(
               network_of(
                   R"({"input": [1], "layers": [{"name": "a", "type": "leaky_relu", "slope": )" +
                   text + "}]}")
                   .layers[0]
                   .layer)
        .slope;
  };
  CHECK(slope("0.1") == ratio(1, 10));
  CHECK(slope("1e-2") == ratio(1, 100));
  CHECK(slope("\"2/6\"") == ratio(1, 3));
  CHECK(slope("\"1\"") == 1);
  CHECK(slope("\"0\"") == 0);
  CHECK(slope("true") == 1);
  CHECK(slope("false") == 0);
  const Network conv = network_of(
      R"({"input": [1, 4, 4], "layers": [{"name": "a", "type": "conv2d", "stride": [2, 1],
          "padding": 1}]})");
  CHECK(std::get<encoders::Conv2d>(conv.layers[0].layer).sliding.stride ==
        std::vector<std::size_t>{2, 1});
  CHECK(std::get<encoders::Conv2d>(conv.layers[0].layer).sliding.padding ==
        std::vector<std::size_t>{1, 1});
}

TEST_CASE("a network that is written is read back") {
  const TemporaryDirectory folder;
  const std::string first = folder.path("first.safetensors"),
                    next = folder.path("next.safetensors");
  Network network = network_of(residual, residual_file());
  std::get<encoders::LeakyRelu>(network.layers[2].layer).slope = ratio(1, 3);
  network.layers.push_back({"c \"1\"", encoders::make_layer("conv2d", {}), {"sum"}});
  write_network(first, network);
  const Network again = read_network(first);
  CHECK(again.input == network.input);
  CHECK(again.output == network.output);
  CHECK(again.parameters == network.parameters);
  REQUIRE(again.layers.size() == network.layers.size());
  CHECK(std::get<encoders::LeakyRelu>(again.layers[2].layer).slope == ratio(1, 3));
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    CHECK(again.layers[i].name == network.layers[i].name);
    CHECK(again.layers[i].from == network.layers[i].from);
    CHECK(again.layers[i].layer.index() == network.layers[i].layer.index());
  }
  write_network(next, again);
  CHECK(read_file(next) == read_file(first));

  network.parameters["fc1.weight"].entries[3] = ratio(1, 3);
  CHECK(
      complaint([&] { write_network(first, network); }) ==
      "tensor 'fc1.weight': entry [1,1] is 1/3, and no type holds it and those before it exactly");
}

TEST_CASE("a network that is written still says that its outputs are logits") {
  encoders::Network network{{2}, {{"a", encoders::Relu{}, {"input"}}}, {"a"}, {}, "LogSoftmax"};
  CHECK(to_network(to_safetensors(network)).logits_of == "LogSoftmax");
  network.logits_of = "Tanh";
  CHECK(complaint([&] {
          to_network(to_safetensors(network));
        }).ends_with("'logits_of' must be Softmax or LogSoftmax"));
}

TEST_CASE("a bad description gives a one-line error with its location") {
  const std::string at = "in the metadata 'network' at ";
  CHECK(refusal("") == at + "1:1: expected a value, not the end of the text");
  CHECK(refusal("[]") == at + "1:1: a network must be an object, not a list");
  CHECK(refusal("{}") == at + "1:1: 'input' is missing");
  CHECK(refusal(R"({"input": [1]})") == at + "1:1: 'layers' is missing");
  CHECK(refusal(R"({"input": [1], "layers": {}})") ==
        at + "1:26: 'layers' must be a list, not an object");
  CHECK(refusal("{\"input\": [1],\n \"lagers\": []}") ==
        at + "2:2: 'lagers' means nothing to a network; it has 'input', 'layers' and 'output'");
  for (const char* input : {"3", "[0]", "[-1]", "[1.5]", "[1e1]", "[\"1\"]", "[true]", "[[1]]",
                            "[18446744073709551616]", "null"}) {
    CAPTURE(input);
    CHECK(refusal("{\"layers\": [], \"input\": " + std::string(input) + "}") ==
          at + "1:25: 'input' must be a list of natural numbers above 0, the lengths of its axes");
  }
  for (const char* input :
       {"[20000001]", "[5000, 5000]", "[18446744073709551615, 2]", "[4294967296, 4294967296]"}) {
    CAPTURE(input);
    CHECK(refusal("{\"layers\": [], \"input\": " + std::string(input) + "}") ==
          at + "1:25: 'input' has more than 20000000 entries");
  }
  CHECK(refusal(R"({"input": [1], "layers": [], "output": 3})") ==
        at + "1:40: 'output' must be a list, not a number");
  CHECK(refusal(R"({"input": [1], "layers": [], "output": [3]})") ==
        at + "1:41: a name in 'output' must be a string, not a number");
}

TEST_CASE("a bad layer gives a one-line error with its name and location") {
  const auto of = [](const std::string& layer) {
    return refusal("{\"input\": [1],\n \"layers\": [" + layer + "]}");
  };
  const std::string at = "in the metadata 'network' at ";
  CHECK(of("3") == at + "2:13: a layer must be an object, not a number");
  CHECK(of("{}") == at + "2:13: 'name' is missing");
  CHECK(of(R"({"name": 1})") == at + "2:22: 'name' must be a string, not a number");
  CHECK(of(R"({"name": "fc1"})") == at + "2:13: fc1: 'type' is missing");
  CHECK(of(R"({"name": "fc1", "type": "lynear"})")
            .starts_with(at + "2:13: fc1: no layer of type 'lynear'; there are linear, conv2d, "));
  CHECK(of(R"({"name": "fc1", "type": "linear", "bias": true})") ==
        at + "2:13: fc1: attribute 'bias' means nothing to this type of layer");
  CHECK(of(R"({"name": "a", "type": "leaky_relu", "slope": [1, "x"]})") ==
        at + "2:58: a: attribute 'slope' must be a number, a list of numbers or a word");
  CHECK(of(R"({"name": "a", "type": "leaky_relu", "slope": null})") ==
        at + "2:58: a: attribute 'slope' must be a number, a list of numbers or a word");
  CHECK(of(R"({"name": "a", "type": "leaky_relu", "slope": "steep"})") ==
        at + "2:13: a: attribute 'slope' must be a number");
  CHECK(of(R"({"name": "a", "type": "leaky_relu", "slope": 2})") ==
        at + "2:13: a: attribute 'slope' must be between 0 and 1");
  CHECK(of(R"({"name": "a", "type": "leaky_relu", "slope": "1/0"})") ==
        at + "2:58: a: '1/0' divides by 0");
  CHECK(of(R"({"name": "a", "type": "leaky_relu", "slope": 1e-99999})")
            .starts_with(at + "2:58: a: "));
  CHECK(of(R"({"name": "a", "type": "relu", "from": {}})") ==
        at + "2:51: a: 'from' must be a list, not an object");
  CHECK(of(R"({"name": "a", "type": "relu", "from": []})") == "a: has no input");
  CHECK(of(R"({"name": "a", "type": "relu", "from": ["b"]})") ==
        "a: its input 'b' is no earlier layer");
  CHECK(of(R"({"name": "a", "type": "relu"}, {"name": "a", "type": "relu"})") ==
        "two layers are named 'a'; 'input' is taken as well");
}

TEST_CASE(
    "tensors that fit no layer are refused; missing ones are reported when the network is run") {
  const std::string linear =
      R"({"input": [1], "layers": [{"name": "fc1", "type": "linear"}], "output": ["fc1"]})";
  CHECK(refusal(linear, {{{"fc2.weight", {{1}, {1}}}}, {}}) ==
        "the tensor 'fc2.weight' belongs to no layer");
  CHECK(refusal(linear, {{{"input.weight", {{1}, {1}}}}, {}}) ==
        "the tensor 'input.weight' belongs to no layer");
  CHECK(refusal(linear, {{{"fc1", {{1}, {1}}}}, {}}) == "the tensor 'fc1' belongs to no layer");
  CHECK(refusal(linear, {{{"fc1.weight", {{0, 1}, {}}}}, {}}) ==
        "the tensor 'fc1.weight' is empty");
  CHECK(complaint([&] { output(network_of(linear), {1}); }) ==
        "fc1: there is no tensor 'fc1.weight'");
  CHECK(complaint([&] {
          output(network_of(linear, {{{"fc1.weight", {{1, 2}, {1, 2}}}}, {}}), {1});
        }) == "fc1: weight [1, 2] does not fit an input [1]");
}

TEST_CASE("a damaged network is read or refused without a crash") {
  const std::uint64_t seed = 11;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::array<std::string, 14> pieces = {
      "{",  "}",       "[",        "]",     "\"",      ",",    ":",
      "-1", "1e99999", "\"relu\"", "\"a\"", "\"add\"", "true", "99999999999999999999"};
  std::size_t read = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    Safetensors file = residual_file();
    std::string& text = file.metadata["network"];
    for (std::size_t change = 0; change <= random() % 3; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 12);
          break;
        case 1:
          text.replace(at, 1, pieces[random() % pieces.size()]);
          break;
        case 2:
          text[at] = static_cast<char>(' ' + random() % 95);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
      if (text.empty()) text = "x";
    }
    try {
      const Network network = to_network(parse_safetensors(to_bytes(file)));
      ++read;
      encoders::check_names(network);
      output(network, std::vector<Rational>(encoders::entry_count(network.input), 1));
    } catch (const Error& error) {
      CHECK_FALSE(std::string(error.what()).empty());
    }
  }
  CHECK(read > 50);
}

TEST_CASE("docs/network.md has a row for every type of layer and an example with all of them") {
  const std::string document = read_file(document_path);
  std::set<std::string> types;
  for (const std::string_view type : encoders::layer_types()) {
    CAPTURE(type);
    types.emplace(type);
    CHECK(document.find("\n| `" + std::string(type) + "` |") != std::string::npos);
  }
  const std::vector<std::string> examples = blocks("json");
  REQUIRE(examples.size() == 2);
  CHECK(network_of(examples[0]).layers.size() == 4);

  Safetensors file;
  const auto tensor = [&](const std::string& name, const encoders::Shape& shape) {
    Tensor<Rational> value(shape, {});
    while (value.size() < encoders::entry_count(shape))
      value.entries.push_back(ratio(static_cast<long>(value.size() * 7 % 11) - 3, 4));
    file.tensors[name] = value;
  };
  tensor("conv1.weight", {8, 2, 3, 3});
  tensor("norm1.running_mean", {8});
  file.tensors["norm1.running_var"] = Tensor<Rational>::filled({8}, 1);
  tensor("prelu1.weight", {8});
  tensor("fc1.weight", {3, 72});
  const Network every = network_of(examples[1], file);
  std::set<std::string> shown;
  for (const encoders::NamedLayer& layer : every.layers)
    shown.emplace(std::visit([](const auto& type) { return type.keyword; }, layer.layer));
  CHECK(shown == types);
  // 8x4x8, pooled 8x2x5, averaged 8x3x6, in pairs 4x3x6: 72 masks; five branches of 3.
  encoders::ExactAlgebra algebra(every, std::vector<bool>(72, true));
  const auto values = encoders::run(every, algebra, Tensor<Rational>::filled({4, 8, 8}, 1));
  REQUIRE(values.size() == 1);
  CHECK(values[0].shape == encoders::Shape{15});

  // Every attribute survives being written.
  const Safetensors once = to_safetensors(every);
  CHECK(to_safetensors(to_network(parse_safetensors(to_bytes(once)))) == once);
  const std::string& text = once.metadata.at("network");
  for (const char* attribute :
       {"\"stride\": [2, 1]",
        "\"padding\": [1, 1]",
        "\"groups\": 2",
        "\"eps\": \"1/100000\"",
        "\"dilation\": [1, 1]",
        "\"padding_end\": [0, 1]",
        "\"ceil_mode\": 1",
        "\"at_zero\": 0",
        "\"entries\": [0, 0, 1, -1], \"fill\": \"1/2\", \"shape\": [2, 2]",
        "\"kernel\": [2, 2]",
        "\"padding\": [0, 1]",
        "\"count_include_pad\": 0",
        "\"pieces\": 2",
        "\"mode\": \"masks\", \"p\": \"1/4\"",
        "\"slope\": \"1/100\"",
        "\"max\": 2, \"min\": -2",
        "\"at\": [-1, 0, 1], \"left_slope\": 0, \"right_slope\": \"-1/3\"",
        "\"values\": [0, 1, 0]",
        "\"high\": 1, \"low\": 0, \"step\": \"1/4\"",
        "\"axis\": 0",
        "\"high\": 3, \"low\": -3, \"pieces\": 8, \"side\": \"lower\"",
        "\"high\": 5, \"low\": -5, \"side\": \"lower\", \"width\": \"1/20\""}) {
    CAPTURE(attribute);
    CHECK(text.find(attribute) != std::string::npos);
  }
}

TEST_CASE("the Python program of docs/network.md writes a network that is read") {
  const std::vector<std::string> programs = blocks("python");
  REQUIRE(programs.size() == 1);
  const TemporaryDirectory folder;
  const std::string path = folder.path("net.safetensors");
  const std::optional<std::string> plain = python("import json, struct", "python3");
  if (!plain) return;
  const std::string writer = programs[0] + R"(
write_network(PATH, [2],
              [{"name": "fc1", "type": "linear"}, {"name": "act", "type": "leaky_relu", "slope": 0.01}],
              {"fc1.weight": ([3, 2], [1, 2, 0.1, -0.0, 5e-324, 1.7976931348623157e308]),
               "fc1.bias": ([3], [0, -1, 0])})
)";
  folder.file("plain.py", "PATH = r'" + path + "'\n" + writer);
  printed(*plain + " " + (folder / "plain.py"));
  const Network network = read_network(path);
  CHECK(network.parameters.at("fc1.weight") ==
        Tensor<Rational>(
            {3, 2}, {1, 2, Rational(0.1), 0, Rational(5e-324), Rational(1.7976931348623157e308)}));
  // fc1 of (1, 0) is (1, 0.1 - 1, the least double).
  CHECK(output(network, {1, 0}) ==
        std::vector<Rational>{1, (Rational(0.1) - 1) / 100, Rational(5e-324)});
}
