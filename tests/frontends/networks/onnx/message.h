#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Messages of protocol buffers, byte by byte, also such as no library would write.

inline std::string varint(std::uint64_t value) {
  std::string result;
  for (; value >= 128; value >>= 7) result += static_cast<char>(value % 128 + 128);
  return result + static_cast<char>(value);
}

/// A field of a message with a number.
inline std::string number_field(unsigned field, std::uint64_t value) {
  return varint(field * 8) + varint(value);
}

/// A field with bytes, or with another message.
inline std::string field(unsigned number, std::string_view bytes) {
  return varint(number * 8 + 2) + varint(bytes.size()) + std::string(bytes);
}

/// Messages of ONNX, as far as tests need them.
inline std::string tensor_message(std::string_view name, const std::vector<std::uint64_t>& shape,
                                  unsigned type, std::string_view raw) {
  std::string result;
  for (const std::uint64_t length : shape) result += number_field(1, length);
  return result + number_field(2, type) + field(8, name) + field(9, raw);
}
inline std::string value_message(std::string_view name, const std::vector<std::uint64_t>& shape) {
  std::string axes;
  for (const std::uint64_t length : shape) axes += field(1, number_field(1, length));
  return field(1, name) + field(2, field(1, number_field(1, 1) + field(2, axes)));
}
inline std::string node_message(std::string_view type, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs,
                                std::string_view attributes = "") {
  std::string result;
  for (const std::string& name : inputs) result += field(1, name);
  for (const std::string& name : outputs) result += field(2, name);
  return result + field(4, type) + std::string(attributes);
}
/// A model with the fields of its graph.
inline std::string model_message(std::string_view graph, std::uint64_t opset = 13) {
  return number_field(1, 8) + field(2, "a test") + field(7, graph) +
         field(8, number_field(2, opset));
}
/// y = max(x, 0) of two numbers.
inline std::string relu_graph() {
  return field(1, node_message("Relu", {"x"}, {"y"})) + field(11, value_message("x", {1, 2})) +
         field(12, value_message("y", {1, 2}));
}
