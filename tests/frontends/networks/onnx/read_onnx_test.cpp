#include "frontends/networks/onnx/read_onnx.h"

#include <doctest/doctest.h>

#include <utility>

#include "encoders/exact.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::Tensor;
using Attributes = std::map<std::string, Attribute, std::less<>>;

/// A model that grows; its input is `x`.
struct Sketch {
  Model model;

  explicit Sketch(std::vector<std::optional<std::size_t>> shape = {1, 2}, std::int64_t opset = 13) {
    model.opset = opset;
    model.inputs.push_back({"x", std::move(shape)});
    model.outputs = {"y"};
  }
  Sketch& tensor(const std::string& name, const Shape& shape, std::vector<Rational> entries) {
    model.initialisers[name] = {ElementType::real, {shape, std::move(entries)}, name};
    return *this;
  }
  Sketch& integers(const std::string& name, const std::vector<long>& entries) {
    Tensor<Rational> tensor({entries.size()}, {});
    for (const long entry : entries) tensor.entries.emplace_back(entry);
    model.initialisers[name] = {ElementType::int64, tensor, name};
    return *this;
  }
  Sketch& node(const std::string& type, std::vector<std::string> inputs,
               std::vector<std::string> outputs, Attributes attributes = {}) {
    model.nodes.push_back(
        {"", type, "", std::move(inputs), std::move(outputs), std::move(attributes)});
    return *this;
  }
  ReadNetwork read() const { return to_network(model); }
  std::string refusal() const {
    return complaint([&] { read(); });
  }
  /// All outputs for an input.
  std::vector<Rational> run(std::vector<Rational> input) const {
    const encoders::Network network = read().network;
    std::vector<Rational> result;
    for (const auto& value : encoders::run_exactly(network, {network.input, std::move(input)}))
      result.insert(result.end(), value.entries.begin(), value.entries.end());
    return result;
  }
};

/// A model of one number, without axes.
Sketch scalar() { return Sketch(std::vector<std::optional<std::size_t>>{}); }

using Integers = std::vector<std::int64_t>;

TEST_CASE("layers and weights are named after the weights of the model") {
  Sketch sketch;
  sketch.tensor("fc1.weight", {2, 2}, {1, 2, 3, 4}).tensor("fc1.bias", {2}, {5, 6});
  sketch.tensor("onnx::MatMul_7", {2, 1}, {1, -1}).tensor("fc2.bias", {1}, {7});
  sketch.node("Gemm", {"x", "fc1.weight", "fc1.bias"}, {"/fc1/Gemm_output"},
              {{"transB", std::int64_t{1}}});
  sketch.node("Relu", {"/fc1/Gemm_output"}, {"9"});
  sketch.node("MatMul", {"9", "onnx::MatMul_7"}, {"m"});
  sketch.node("Add", {"fc2.bias", "m"}, {"y"});
  const encoders::Network network = sketch.read().network;
  std::vector<std::string> names;
  for (const encoders::NamedLayer& layer : network.layers) names.push_back(layer.name);
  CHECK(names == std::vector<std::string>{"fc1", "Relu_9", "fc2"});
  CHECK(network.input == Shape{2});
  CHECK(network.output == std::vector<std::string>{"fc2"});
  CHECK(network.parameters.at("fc1.weight").entries == std::vector<Rational>{1, 2, 3, 4});
  CHECK(network.parameters.at("fc2.weight") == Tensor<Rational>({1, 2}, {1, -1}));
  CHECK(network.parameters.at("fc2.bias").entries == std::vector<Rational>{7});
  // fc1 of (1, 1) is (3 + 5, 7 + 6); 8 - 13 + 7 = 2.
  CHECK(sketch.run({1, 1}) == std::vector<Rational>{2});
}

TEST_CASE("layers of a torch.nn.Sequential have their numbers as names") {
  Sketch sketch;
  sketch.tensor("0.weight", {1, 2}, {1, 2}).tensor("w", {1, 1}, {3}).tensor("2.bias", {1}, {4});
  sketch.node("Gemm", {"x", "0.weight"}, {"m"}, {{"transB", std::int64_t{1}}});
  sketch.node("Gemm", {"m", "w", "2.bias"}, {"y"});
  const encoders::Network network = sketch.read().network;
  CHECK(network.parameters.contains("0.weight"));
  CHECK(network.parameters.contains("2.weight"));
  CHECK(network.parameters.contains("2.bias"));
}

TEST_CASE("weights that are used twice are two layers") {
  Sketch sketch;
  sketch.tensor("fc.weight", {2, 2}, {1, 2, 3, 4});
  sketch.node("MatMul", {"x", "fc.weight"}, {"m"}).node("MatMul", {"m", "fc.weight"}, {"y"});
  const encoders::Network network = sketch.read().network;
  REQUIRE(network.layers.size() == 2);
  CHECK(network.layers[0].name == "fc");
  CHECK(network.layers[1].name == "fc_2");
}

TEST_CASE("a sum becomes the bias of a layer only if nothing else uses the layer") {
  Sketch sketch;
  sketch.tensor("w", {2, 2}, {1, 0, 0, 1}).tensor("b", {2}, {10, 20});
  sketch.node("MatMul", {"x", "w"}, {"m"}).node("Add", {"m", "b"}, {"s"});
  sketch.node("Add", {"m", "s"}, {"y"});
  CHECK(sketch.run({1, 2}) == std::vector<Rational>{12, 24});
  // The same layer under another name: reshaping adds no layer.
  Sketch again;
  again.tensor("w", {2, 2}, {1, 0, 0, 1}).tensor("b", {2}, {10, 20});
  again.node("MatMul", {"x", "w"}, {"m"}).node("Flatten", {"m"}, {"f"});
  again.node("Add", {"f", "b"}, {"s"}).node("Add", {"m", "s"}, {"y"});
  CHECK(again.run({1, 2}) == std::vector<Rational>{12, 24});
}

TEST_CASE("the batch is left out of the input, whatever its length is called") {
  const auto input = [](std::vector<std::optional<std::size_t>> shape) {
    Sketch sketch(std::move(shape));
    sketch.node("Relu", {"x"}, {"y"});
    return sketch.read().network.input;
  };
  CHECK(input({1, 1, 1, 5}) == Shape{1, 1, 5});
  CHECK(input({std::nullopt, 3}) == Shape{3});
  CHECK(input({4}) == Shape{4});
  CHECK(input({1}) == Shape{1});
  CHECK(input({std::nullopt}) == Shape{1});
  CHECK(input({2, 3}) == Shape{2, 3});
  CHECK(input({}) == Shape{1});
}

TEST_CASE("several inputs become one vector, and several outputs follow each other") {
  Sketch sketch({1, 2});
  sketch.model.inputs.push_back({"z", std::vector<std::optional<std::size_t>>{3, 1}});
  sketch.model.outputs = {"b", "a", "c"};
  sketch.tensor("c", {2}, {7, 8});
  sketch.node("Neg", {"x"}, {"a"}).node("Relu", {"z"}, {"b"});
  CHECK(sketch.read().network.input == Shape{5});
  CHECK(sketch.run({1, 2, -3, 4, 5}) == std::vector<Rational>{0, 4, 5, -1, -2, 7, 8});
}

TEST_CASE("what depends on no input is computed exactly") {
  Sketch sketch;
  sketch.tensor("third", {}, {3}).tensor("one", {2}, {1, 2}).tensor("w", {2, 2}, {0, 1, 2, 3});
  sketch.node("Div", {"one", "third"}, {"c"}).node("Transpose", {"w"}, {"t"});
  sketch.node("MatMul", {"x", "t"}, {"m"}).node("Mul", {"m", "c"}, {"y"});
  // (1, 1) times the transpose of ((0, 1), (2, 3)) is (1, 5); times (1/3, 2/3).
  CHECK(sketch.run({1, 1}) == std::vector<Rational>{ratio(1, 3), ratio(10, 3)});
}

TEST_CASE("the sign of 0 is 0, and division is exact") {
  Sketch sketch({3});
  sketch.tensor("c", {}, {3});
  sketch.node("Sign", {"x"}, {"s"}).node("Div", {"s", "c"}, {"y"});
  CHECK(sketch.run({-2, 0, ratio(1, 7)}) == std::vector<Rational>{ratio(-1, 3), 0, ratio(1, 3)});
}

TEST_CASE("a final softmax is left out with a note, any other refused") {
  for (const std::string type : {"Softmax", "LogSoftmax"}) {
    Sketch sketch;
    sketch.node("Relu", {"x"}, {"logits"}).node(type, {"logits"}, {"y"});
    const ReadNetwork read = sketch.read();
    CHECK(read.network.output == std::vector<std::string>{"logits"});
    CHECK(read.notes ==
          std::vector<std::string>{"the outputs are the logits: the final " + type +
                                   " 'y' is left out, which does not change their order"});
  }
  Sketch inner;
  inner.node("Softmax", {"x"}, {"p"}).node("Relu", {"p"}, {"y"});
  CHECK(
      inner.refusal() ==
      "node 'p' (Softmax): is supported as the last node only, before a single output, where it is "
      "left out");
  Sketch two;
  two.node("Softmax", {"x"}, {"y"}).model.outputs = {"y", "x"};
  CHECK(two.refusal().starts_with("node 'y' (Softmax): is supported as the last node only"));
}

TEST_CASE("a final softmax is left out only where all outputs are its classes") {
  const auto refusal = [](std::vector<std::optional<std::size_t>> shape, std::int64_t opset,
                          std::optional<std::int64_t> axis) {
    Sketch sketch(std::move(shape), opset);
    Attributes attributes;
    if (axis) attributes.emplace("axis", *axis);
    return sketch.node("Softmax", {"x"}, {"y"}, attributes).refusal();
  };
  const auto other = [](const std::string& shape) {
    return "node 'y' (Softmax): is not over all entries of a value " + shape +
           ", or there is but one; it is left out only where all outputs are its classes";
  };
  CHECK(refusal({1, 3}, 13, std::nullopt) == "no complaint");
  CHECK(refusal({1, 3}, 13, 1) == "no complaint");
  CHECK(refusal({3}, 13, 0) == "no complaint");
  CHECK(refusal({1, 1, 3}, 13, -1) == "no complaint");
  CHECK(refusal({1, 3}, 13, 0) == other("[1, 3]"));
  CHECK(refusal({1, 2, 3}, 13, -1) == other("[1, 2, 3]"));
  CHECK(refusal({1, 1}, 13, -1) == other("[1, 1]"));
  CHECK(refusal({1, 3}, 13, 2) == "node 'y' (Softmax): there is no axis 2 of 2");
  // Before version 13, all axes from the given one on are one group.
  CHECK(refusal({1, 2, 3}, 12, std::nullopt) == "no complaint");
  CHECK(refusal({1, 3}, 11, 0) == "no complaint");
  CHECK(refusal({1, 2, 3}, 11, 2) == other("[1, 2, 3]"));
}

TEST_CASE("a network without its softmax says that its outputs are logits") {
  Sketch sketch;
  CHECK(sketch.node("Softmax", {"x"}, {"y"}).read().network.logits_of == "Softmax");
  Sketch plain;
  CHECK(plain.node("Relu", {"x"}, {"y"}).read().network.logits_of.empty());
}

TEST_CASE("a product with a constant of more axes has these axes") {
  // [1, 2] times [1, 2, 2] is [1, 1, 2]; added to [2, 1] it would be [2, 2] with an axis less.
  for (const bool left : {false, true}) {
    Sketch sketch({2, 2});
    sketch.tensor("w", {1, 2, 2}, {1, 2, 3, 4}).tensor("b", {2, 1, 1}, {0, 10});
    sketch.node("MatMul",
                left ? std::vector<std::string>{"w", "x"} : std::vector<std::string>{"x", "w"},
                {"m"});
    sketch.node("Add", {"m", "b"}, {"s"}).integers("i", {1}).node("Gather", {"s", "i"}, {"y"});
    CHECK(sketch.run({1, 0, 0, 1}) == std::vector<Rational>{11, 12, 13, 14});
  }
  CHECK(Sketch({2}).tensor("w", {1, 2, 1}, {1, 2}).node("MatMul", {"x", "w"}, {"y"}).refusal() ==
        "node 'y' (MatMul): a product of a vector with a constant [1, 2, 1], where a matrix is "
        "supported only");
}

TEST_CASE("Gelu is recognised only if its constants add no axes") {
  const auto pattern = [](const Shape& shape) {
    Sketch sketch({1, 2});
    sketch.tensor("root", shape, {Rational(0x1.6a09e6p0)}).tensor("one", {}, {1});
    sketch.tensor("half", {}, {ratio(1, 2)});
    sketch.node("Div", {"x", "root"}, {"d"}).node("Erf", {"d"}, {"e"});
    sketch.node("Add", {"e", "one"}, {"s"}).node("Mul", {"x", "s"}, {"p"});
    return sketch.node("Mul", {"p", "half"}, {"y"}).refusal();
  };
  CHECK(pattern({}) == "no complaint");
  CHECK(pattern({1, 1}) == "no complaint");
  CHECK(pattern({1, 1, 1}) ==
        "node 'y' (Gelu): is written with constants of 3 axes, which is not supported for a value "
        "[1, 2]");
}

TEST_CASE("integers are computed only where their type has the result") {
  const auto refusal = [](ElementType type, const std::string& operation, long a, long b) {
    Sketch sketch({1, 1});
    sketch.model.initialisers["a"] = {type, {{1}, {Rational(a)}}, "a"};
    sketch.model.initialisers["b"] = {type, {{1}, {Rational(b)}}, "b"};
    sketch.node(operation, {"a", "b"}, {"c"}).node("Cast", {"c"}, {"f"}, {{"to", std::int64_t{1}}});
    return sketch.node("Add", {"x", "f"}, {"y"}).refusal();
  };
  CHECK(refusal(ElementType::uint8, "Sub", 2, 1) == "no complaint");
  CHECK(refusal(ElementType::uint8, "Sub", 1, 2) ==
        "node 'c' (Sub): has the entry -1, which is no uint8; integers are computed only where "
        "nothing is rounded or wraps around");
  CHECK(refusal(ElementType::int32, "Mul", 1L << 16, 1L << 14) == "no complaint");
  CHECK(refusal(ElementType::int32, "Mul", 1L << 16, 1L << 15) != "no complaint");
  Sketch mean;
  mean.integers("i", {1, 2}).node("ReduceMean", {"i"}, {"m"}).node("Reshape", {"x", "m"}, {"y"});
  CHECK(mean.refusal().starts_with("node 'm' (ReduceMean): has the entry 3/2, which is no int64"));
  Sketch cast;
  cast.integers("i", {300}).node("Cast", {"i"}, {"c"}, {{"to", std::int64_t{3}}});
  CHECK(cast.node("Add", {"x", "c"}, {"y"})
            .refusal()
            .starts_with("node 'c' (Cast): has the entry 300, which is no int8"));
}

TEST_CASE("constants that grow without end are refused early") {
  Sketch square({1, 1});
  square.tensor("c0", {1}, {3});
  for (int i = 0; i < 60; ++i)
    square.node("Mul", {"c" + std::to_string(i), "c" + std::to_string(i)},
                {"c" + std::to_string(i + 1)});
  CHECK(square.node("Mul", {"x", "c60"}, {"y"})
            .refusal()
            .ends_with("computes a constant of more than 10000 digits, the cap 'digits'"));
  Sketch deep({1, 2});
  deep.integers("axes", {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                         16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30});
  CHECK(deep.node("Unsqueeze", {"x", "axes"}, {"y"}).refusal() ==
        "node 'y' (Unsqueeze): has 33 axes; at most 32 are supported");
}

TEST_CASE("a slice backwards from far before the start is of the first entry") {
  Sketch sketch({3});
  sketch.integers("from", {-9}).integers("to", {-9}).integers("axis", {0}).integers("step", {-1});
  CHECK(sketch.node("Slice", {"x", "from", "to", "axis", "step"}, {"y"}).run({1, 2, 3}) ==
        std::vector<Rational>{1});
}

TEST_CASE("a padding that removes entries is not mirrored or repeated") {
  for (const std::string mode : {"reflect", "wrap"}) {
    Sketch sketch({4});
    sketch.integers("p", {-1, 1}).node("Pad", {"x", "p"}, {"y"}, {{"mode", mode}});
    CHECK(sketch.refusal() ==
          "node 'y' (Pad): a negative padding is not supported with the mode " + mode);
  }
}

TEST_CASE("nodes that the outputs do not need are not read") {
  Sketch sketch;
  sketch.node("NonZero", {"x"}, {"n"}).node("Relu", {"x"}, {"y"});
  CHECK(sketch.read().network.layers.size() == 1);
}

TEST_CASE("an operator that is not supported is refused with those that are") {
  Sketch sketch({4});
  sketch.tensor("w", {1}, {1});
  sketch.node("ScatterND", {"x", "w", "w"}, {"M0"}).node("Relu", {"M0"}, {"y"});
  CHECK(sketch.refusal().starts_with(
      "node 'M0' (ScatterND): not supported; supported are Abs, Add, AveragePool, "));
  Sketch named;
  named.node("Relu", {"x"}, {"y"}).model.nodes[0].domain = "com.example";
  CHECK(named.refusal() ==
        "node 'y' (Relu): an operator of 'com.example'; those of standard ONNX are supported only");
}

TEST_CASE("hostile graphs are refused in one line that names the node") {
  const auto refused = [](const Sketch& sketch, const std::string& message) {
    CHECK(sketch.refusal() == message);
  };
  refused(Sketch().node("Relu", {"z"}, {"y"}).node("Relu", {"y"}, {"z"}),
          "node 'y' (Relu): its input 'z' is no input or tensor of the model, and no earlier node "
          "computes it");
  refused(Sketch().node("Gemm", {"x", "w"}, {"y"}),
          "node 'y' (Gemm): its input 'w' is no input or tensor of the model, and no earlier node "
          "computes it");
  refused(Sketch().node("Relu", {"x"}, {"z"}), "the output 'y' is computed by no node");
  refused(Sketch().node("Relu", {"x"}, {"y"}).node("Abs", {"x"}, {"y"}),
          "node 'y' (Abs): two values are named 'y'");
  refused(Sketch().node("If", {"x"}, {"y"}, {{"then_branch", OtherAttribute{}}}),
          complaint([] {
            Sketch().node("Loop", {"x"}, {"y"}).read();
          }).replace(0, std::string("node 'y' (Loop)").size(), "node 'y' (If)"));
  refused(Sketch().node("Relu", {"x"}, {"y"}, {{"slope", Rational(2)}}),
          "node 'y' (Relu): attribute 'slope' is not supported");
  refused(Sketch().node("Relu", {"x", "x"}, {"y"}), "node 'y' (Relu): input 'x' is not supported");
  refused(Sketch().node("Relu", {}, {"y"}), "node 'y' (Relu): input 0 is missing");
  refused(Sketch().node("Relu", {"x"}, {"y", "z"}),
          "node 'y' (Relu): its output 'z' is not supported");
  refused(Sketch().node("LeakyRelu", {"x"}, {"y"}, {{"alpha", std::int64_t{1}}}),
          "node 'y' (LeakyRelu): attribute 'alpha' must be a number");
  refused(Sketch().node("Mul", {"x", "x"}, {"y"}),
          "node 'y' (Mul): multiplies two values that depend on the input of the network; products "
          "with constants are supported only");
  refused(Sketch().tensor("c", {2}, {1, 0}).node("Div", {"x", "c"}, {"y"}),
          "node 'y' (Div): divides by 0");
  refused(Sketch().tensor("w", {3, 2}, std::vector<Rational>(6)).node("MatMul", {"x", "w"}, {"y"}),
          "node 'y' (MatMul): weights [2, 3] do not fit a value [1, 2]");
  refused(scalar().tensor("w", {3, 2}, std::vector<Rational>(6)).node("MatMul", {"w", "x"}, {"y"}),
          "node 'y' (MatMul): a product with a value without axes");
  refused(scalar().tensor("w", {3, 2}, std::vector<Rational>(6)).node("MatMul", {"x", "w"}, {"y"}),
          "node 'y' (MatMul): weights [2, 3] do not fit a value []");
  CHECK(scalar().tensor("s", {2}, {2, 3}).node("PRelu", {"x", "s"}, {"y"}).run({-1}) ==
        std::vector<Rational>{-2, -3});
  refused(Sketch().tensor("b", {3}, {1, 2, 3}).node("Add", {"x", "b"}, {"y"}),
          "node 'y' (Add): values [1, 2] and [3] cannot be broadcast to a common shape");
  refused(Sketch().integers("s", {3, -1}).node("Reshape", {"x", "s"}, {"y"}),
          "node 'y' (Reshape): cannot give a value [1, 2] this shape");
  refused(Sketch().node("Reshape", {"x", "x"}, {"y"}),
          "node 'y' (Reshape): 'x' depends on the input of the network, where a constant is "
          "supported only");
  refused(Sketch().integers("s", {2'000'000'000, 2'000'000'000}).node("Expand", {"x", "s"}, {"y"}),
          "node 'y' (Expand): values [1, 2] and [2000000000, 2000000000] cannot be broadcast to a "
          "common shape");
  refused(Sketch({1, 1})
              .integers("s", {2'000'000'000, 2'000'000'000})
              .node("Expand", {"x", "s"}, {"y"}),
          "node 'y' (Expand): a value with too many entries");
  refused(Sketch().node("Transpose", {"x"}, {"y"}, {{"perm", Integers{0, 0}}}),
          "node 'y' (Transpose): an axis is given twice");
  refused(
      Sketch().integers("i", {5}).node("Gather", {"x", "i"}, {"y"}, {{"axis", std::int64_t{1}}}),
      "node 'y' (Gather): an axis of length 2 has no place 5");
  refused(
      Sketch().integers("p", {0, 0, 0, 1L << 60}).node("Pad", {"x", "p"}, {"y"}),
      "node 'y' (Pad): a padding of 0 and 1152921504606846976 does not fit an axis of length 2");
  refused(Sketch({1, 1, 4})
              .tensor("w", {1, 1, 2}, {1, 1})
              .node("Conv", {"x", "w"}, {"y"}, {{"pads", Integers{-1, 0}}}),
          "node 'y' (Conv): attribute 'pads' must not have the number -1");
  refused(Sketch({2, 1, 4}).tensor("w", {1, 1, 2}, {1, 1}).node("Conv", {"x", "w"}, {"y"}),
          "node 'y' (Conv): a value [2, 1, 4] with a batch of 2; batches of 1 are supported only");
  refused(Sketch({1, 1, 4}).node("MaxPool", {"x"}, {"y"}, {{"kernel_shape", Integers{0}}}),
          "node 'y' (MaxPool): attribute 'kernel_shape' must not have the number 0");
  refused(Sketch({1, 1, 4}).node("MaxPool", {"x"}, {"y"}, {{"kernel_shape", Integers{9}}}),
          "node 'y' (MaxPool): a window [1, 9] does not fit an input [1, 1, 4]");
  refused(Sketch().tensor("t", {}, {1}).node("Dropout", {"x", "", "t"}, {"y"}),
          "node 'y' (Dropout): drops entries at random; export the model for inference, after "
          "model.eval()");
  refused(Sketch().node("Cast", {"x"}, {"y"}, {{"to", std::int64_t{7}}}),
          "node 'y' (Cast): rounds a value that depends on the input of the network");
  refused(Sketch({1, std::nullopt}).node("Relu", {"x"}, {"y"}),
          "input 'x' has an axis 1 of unknown length; export the model with a fixed one (only the "
          "first axis, the batch, may be open)");
  Sketch shapeless;
  shapeless.model.inputs[0].shape.reset();
  refused(shapeless.node("Relu", {"x"}, {"y"}),
          "input 'x' has no shape; export the model with one");
  Sketch without;
  without.model.inputs.clear();
  refused(without, "a model without inputs");
  refused(Sketch().tensor("x", {1}, {1}).node("Relu", {"x"}, {"y"}), "two values are named 'x'");
}

}  // namespace
}  // namespace wmi::frontends::onnx
