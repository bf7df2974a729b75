#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "encoders/tensor.h"
#include "frontends/networks/onnx/element_type.h"
#include "solver/terms/rational.h"

namespace wmi::frontends::onnx {

/// A tensor of exact numbers.
struct Constant {
  ElementType type = ElementType::real;
  encoders::Tensor<Rational> tensor;
  std::string origin;  // the initialiser that it comes from, or nothing
};

/// An attribute of a kind that no supported operator has, such as a graph.
struct OtherAttribute {};

using Attribute = std::variant<OtherAttribute, Rational, std::int64_t, std::string,
                               std::vector<Rational>, std::vector<std::int64_t>, Constant>;

struct Node {
  std::string name, type, domain;
  std::vector<std::string> inputs, outputs;  // an empty name: left out
  std::map<std::string, Attribute, std::less<>> attributes;
  std::size_t least_rank = 0;  // of its input, if it stands for nodes that would add axes to fewer

  /// Its name in messages: its own, or that of its first output.
  const std::string& called() const { return name.empty() && !outputs.empty() ? outputs[0] : name; }
};

struct Input {
  std::string name;
  std::optional<std::vector<std::optional<std::size_t>>> shape;  // nullopt: not known
};

/// The graph of an ONNX model, as plain values.
struct Model {
  std::int64_t opset = 0;     // of the standard operators
  std::vector<Input> inputs;  // without those that initialisers have
  std::vector<std::string> outputs;
  std::map<std::string, Constant, std::less<>> initialisers;
  std::vector<Node> nodes;
};

/// Whether the bytes may be an ONNX model: they begin with a field of one, and cannot be a
/// safetensors file. ONNX has no mark of its own.
bool looks_like_onnx(std::string_view bytes);

/// Parses an ONNX model. Nothing in it is executed, and nothing but its graph is read. Throws Error
/// if it is damaged, exceeds a cap, or has its data in other files.
Model parse_model(std::string_view bytes);

}  // namespace wmi::frontends::onnx
