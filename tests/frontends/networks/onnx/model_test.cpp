#include "frontends/networks/onnx/model.h"

#include <doctest/doctest.h>

#include "frontends/common/caps.h"
#include "frontends/networks/onnx/tensors.h"
#include "tests/frontends/networks/onnx/message.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends::onnx {
namespace {

const std::string damaged = "no ONNX model, or one that is damaged or cut off";

std::string refusal(const std::string& bytes) {
  return complaint([&] { parse_model(bytes); });
}

/// A model with this tensor.
std::string with_tensor(const std::string& tensor) {
  return model_message(relu_graph() + field(5, tensor));
}

Constant tensor_of(const std::string& message) {
  return parse_model(with_tensor(message)).initialisers.at("w");
}

TEST_CASE("a model becomes plain values") {
  const std::string axis = field(1, "axis") + number_field(3, 2) + number_field(20, 2);
  const std::string floats = std::string("\x00\x00\x80\x3f\x00\x00\x00\xbf", 8);  // 1 and -1/2
  const std::string graph = relu_graph() +
                            field(1, node_message("Flatten", {"y"}, {"z"}, field(5, axis))) +
                            field(5, tensor_message("w", {2}, 1, floats));
  const Model model = parse_model(model_message(graph, 17));
  CHECK(model.opset == 17);
  REQUIRE(model.inputs.size() == 1);
  CHECK(model.inputs[0].name == "x");
  CHECK(model.inputs[0].shape->at(1) == 2);
  CHECK(model.outputs == std::vector<std::string>{"y"});
  REQUIRE(model.nodes.size() == 2);
  CHECK(model.nodes[0].called() == "y");
  CHECK(model.nodes[1].type == "Flatten");
  CHECK(std::get<std::int64_t>(model.nodes[1].attributes.at("axis")) == 2);
  CHECK(model.initialisers.at("w").tensor == encoders::Tensor<Rational>({2}, {1, ratio(-1, 2)}));
}

TEST_CASE("floats of every precision and integers are the numbers that they are") {
  using Numbers = std::vector<Rational>;
  const auto entries = [](unsigned type, const std::string& raw, std::uint64_t count) {
    return tensor_of(tensor_message("w", {count}, type, raw)).tensor.entries;
  };
  CHECK(entries(10, std::string("\x00\x3c\x01\x00", 4), 2) ==
        Numbers{1, 1 / power(Rational(2), 24)});
  CHECK(entries(16, std::string("\x80\x3f\xc0\xbf", 4), 2) == Numbers{1, ratio(-3, 2)});
  CHECK(entries(11, std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8), 1) ==
        Numbers{Rational(0.1)});
  CHECK(entries(7, std::string(8, '\xff'), 1) == Numbers{-1});
  CHECK(entries(13, std::string(8, '\xff'), 1) == Numbers{power(Rational(2), 64) - 1});
  CHECK(entries(3, "\xfe", 1) == Numbers{-2});
  CHECK(entries(9, std::string("\x01\x00", 2), 2) == Numbers{1, 0});
  // In the fields of their types instead of bytes: floats, and float16 as integers.
  const std::string head = number_field(1, 1) + field(8, "w");
  CHECK(tensor_of(head + number_field(2, 1) + field(4, std::string("\x00\x00\x80\x3f", 4)))
            .tensor.entries == Numbers{1});
  CHECK(tensor_of(head + number_field(2, 10) + field(5, varint(0x3c00))).tensor.entries ==
        Numbers{1});
  CHECK(tensor_of(head + number_field(2, 7) + field(7, varint(300))).tensor.entries ==
        Numbers{300});
  CHECK(element_type(6) == ElementType::int32);
}

TEST_CASE("a tensor has its data in the field of its type alone") {
  const std::string head = number_field(1, 1) + field(8, "w");
  const std::string one("\x00\x00\x80\x3f", 4), wide("\0\0\0\0\0\0\xf0\x3f", 8);
  const std::string message =
      "tensor 'w': has data in a field that is not for its type, float, or in two fields";
  CHECK(refusal(with_tensor(head + number_field(2, 1) + field(10, wide))) == message);
  CHECK(refusal(with_tensor(head + number_field(2, 1) + field(5, varint(1)))) == message);
  CHECK(refusal(with_tensor(head + number_field(2, 1) + field(4, one) + field(9, one))) == message);
  // 200 is no int8, though its lowest byte is one.
  CHECK(refusal(with_tensor(head + number_field(2, 3) + field(5, varint(200)))) ==
        "tensor 'w': entry [0] is no int8");
  CHECK(refusal(with_tensor(tensor_message("w", {1}, 9, "\x02")))
            .starts_with("tensor 'w': has the entry 2, which is no bool"));
}

TEST_CASE("inputs are floats with few axes") {
  const auto input = [](std::uint64_t type, std::size_t rank) {
    std::string axes;
    for (std::size_t i = 0; i < rank; ++i) axes += field(1, number_field(1, 1));
    return refusal(model_message(
        field(1, node_message("Relu", {"x"}, {"y"})) +
        field(11, field(1, "x") + field(2, field(1, number_field(1, type) + field(2, axes)))) +
        field(12, value_message("y", {1}))));
  };
  CHECK(input(11, 2) == "no complaint");
  CHECK(input(7, 2) == "input 'x' is of int64 entries; inputs of floats are supported only");
  CHECK(input(9, 2) == "input 'x' is of bool entries; inputs of floats are supported only");
  CHECK(input(8, 2).starts_with("input 'x' is of type 8, which is not supported"));
  CHECK(input(1, 33) == "input 'x' has 33 axes; at most 32 are supported");
}

TEST_CASE("a model that is cut off anywhere is refused, or has lost whole fields") {
  const std::string whole =
      with_tensor(tensor_message("w", {2}, 1, std::string("\0\0\x80\x3f\0\0\x80\x3f", 8)));
  parse_model(whole);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    const std::string what = refusal(whole.substr(0, length));
    CHECK((what == damaged || what.starts_with("no ONNX model: it has no graph") ||
           what == "a model without a version of its operators"));
  }
}

TEST_CASE("hostile models are refused in one line") {
  const std::string one(std::string("\x00\x00\x80\x3f", 4));
  const std::uint64_t huge = std::uint64_t{1} << 62;
  const std::pair<std::string, std::string> cases[] = {
      {"", "no ONNX model: it has no graph"},
      {"a text, and no model at all", damaged},
      {std::string(100, '\xff'), damaged},
      {number_field(1, 8) + varint(7 * 8 + 3), damaged},  // a group
      {model_message(relu_graph(), 99),
       "operators of version 99; versions 1 to 28 are supported: convert the model, as by "
       "onnx.version_converter"},
      {number_field(1, 8) + field(7, relu_graph()), "a model without a version of its operators"},
      {model_message(relu_graph()) + field(25, field(1, "f")),
       "a model with functions of its own ('f', ...); inline them, as by "
       "onnx.inliner.inline_local_functions"},
      {with_tensor(number_field(1, 1) + number_field(2, 1) + field(8, "w") + number_field(14, 1)),
       "tensor 'w': has its data in another file; write the model with its data inside, as by "
       "torch.onnx.export(..., external_data=False)"},
      {with_tensor(tensor_message("w", {2}, 1, one)), "tensor 'w': float [2] takes 8 bytes, not 4"},
      {with_tensor(tensor_message("w", {huge, huge}, 1, one)),
       "tensor 'w': has an axis of length 4611686018427387904"},
      {with_tensor(tensor_message("w", {10'000'000, 10'000'000}, 1, one)),
       "tensor 'w': a value with too many entries"},
      {with_tensor(tensor_message("w", {static_cast<std::uint64_t>(-3)}, 1, one)),
       "tensor 'w': has an axis of length -3"},
      {with_tensor(tensor_message("w", {1}, 8, one)),
       "tensor 'w': is of type 8, which is not supported; there are float, double, float16, "
       "bfloat16, int8, int16, int32, int64, uint8, uint16, uint32, uint64 or bool"},
      {with_tensor(tensor_message("w", {1}, 1, std::string("\x00\x00\xc0\x7f", 4))),
       "tensor 'w': entry [0] is not a finite number"},
      {model_message(relu_graph() + field(5, tensor_message("w", {1}, 1, one)) +
                     field(5, tensor_message("w", {1}, 1, one))),
       "two tensors are named 'w'"},
      {model_message(relu_graph() + field(15, "")),
       "a model with sparse tensors, which are not supported"},
      {model_message(field(11, value_message("x", {1, huge}))),
       "input 'x' has an axis of length 4611686018427387904"},
      {model_message(field(1, node_message("Elu", {"x"}, {"y"},
                                           field(5, field(1, "a") + number_field(20, 2)) +
                                               field(5, field(1, "a") + number_field(20, 2))))),
       "node 'y' (Elu): attribute 'a' is given twice"},
  };
  for (const auto& [bytes, message] : cases) {
    CAPTURE(message);
    CHECK(refusal(bytes) == message);
  }
}

TEST_CASE("graphs in graphs in graphs are refused before they are decoded") {
  std::string graph = relu_graph();
  for (int depth = 0; depth < 60; ++depth)
    graph =
        field(1, node_message("If", {"x"}, {"y"},
                              field(5, field(1, "body") + field(6, graph) + number_field(20, 5))));
  CHECK(refusal(model_message(graph)) == "a model with messages nested too deeply");
}

TEST_CASE("the fields of a model are counted before they are decoded") {
  std::string graph;
  for (int i = 0; i < 1000; ++i) graph += field(1, "");
  caps::fields.set(1000);
  CHECK(refusal(model_message(graph)) == "a model with more than 1000 fields");
  // Packed integers: each may be a single byte.
  CHECK(refusal(with_tensor(field(7, std::string(1000, '\1')))) ==
        "a model with more than 1000 fields");
  caps::fields.set(caps::fields.standard());
  CHECK(refusal(model_message(graph)) == "no complaint");
}

TEST_CASE("the tensors of a model have at most as many entries as the cap says, in all") {
  const auto tensor = [](const std::string& name) {
    return field(5, tensor_message(name, {3}, 2, "abc"));
  };
  caps::tensors.set(6);
  CHECK(refusal(model_message(relu_graph() + tensor("a") + tensor("b"))) == "no complaint");
  CHECK(refusal(model_message(relu_graph() + tensor("a") + tensor("b") + tensor("c"))) ==
        "tensor 'c': has too many entries: the tensors of a model have at most 6");
  caps::tensors.set(caps::tensors.standard());
}

TEST_CASE("an ONNX model is told from a safetensors file by its first bytes") {
  CHECK(looks_like_onnx(model_message(relu_graph())));
  CHECK(!looks_like_onnx(std::string("\x08\0\0\0\0\0\0\0{}", 10)));
  CHECK(!looks_like_onnx(std::string("\x42\0\0\0\0\0\0\0{\"a\"", 12)));
  CHECK(!looks_like_onnx("{\"input\": [2]}"));
  CHECK(!looks_like_onnx(""));
}

}  // namespace
}  // namespace wmi::frontends::onnx
