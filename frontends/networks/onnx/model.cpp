// From the bytes of an ONNX model to plain values, for files that are not trusted. Messages are
// decoded by protobuf, but only after their fields have been counted, since a short message can
// take a hundred times its bytes in memory. Names, shapes and attributes are copied; whether they
// mean anything is decided by those who use them.

#include "frontends/networks/onnx/model.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/networks/binary_numbers.h"
#include "frontends/networks/onnx/field_count.h"
#include "frontends/networks/onnx/tensors.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

constexpr std::int64_t newest_opset = 28;

ModelProto decode(std::string_view bytes) {
  if (count_fields(bytes, *ModelProto::descriptor(), caps::fields) > caps::fields)
    throw Error("a model with more than " + std::to_string(caps::fields) + " fields");
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error("a model of more than 2 GiB");
  ModelProto result;
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream in(&stream);
  if (!result.ParseFromCodedStream(&in) || !in.ConsumedEntireMessage())
    throw Error("no ONNX model, or one that is damaged or cut off");
  return result;
}

Rational finite(float number) {
  if (!std::isfinite(number)) throw Error("is not a finite number");
  return Rational(static_cast<double>(number));
}

Attribute read_attribute(const AttributeProto& attribute, std::size_t& left) {
  switch (attribute.type()) {
    case AttributeProto::FLOAT:
      return finite(attribute.f());
    case AttributeProto::INT:
      return std::int64_t{attribute.i()};
    case AttributeProto::STRING:
      return attribute.s();
    case AttributeProto::FLOATS: {
      std::vector<Rational> result;
      for (const float number : attribute.floats()) result.push_back(finite(number));
      return result;
    }
    case AttributeProto::INTS:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case AttributeProto::TENSOR:
      return read_tensor(attribute.t(), left);
    default:
      return OtherAttribute{};
  }
}

Node read_node(const NodeProto& node, std::size_t& left) {
  Node result{node.name(),
              node.op_type(),
              node.domain() == "ai.onnx" ? "" : node.domain(),
              {node.input().begin(), node.input().end()},
              {node.output().begin(), node.output().end()},
              {}};
  for (const AttributeProto& attribute : node.attribute()) {
    const std::string where = "node '" + shortened(result.called()) + "' (" +
                              shortened(result.type) + "): attribute '" +
                              shortened(attribute.name()) + "' ";
    try {
      if (!result.attributes.emplace(attribute.name(), read_attribute(attribute, left)).second)
        throw Error("is given twice");
    } catch (const Error& error) {
      throw Error(where + error.what());
    }
  }
  return result;
}

Input read_input(const ValueInfoProto& value) {
  Input result{value.name(), {}};
  const auto& type = value.type().tensor_type();
  try {
    if (value.type().has_tensor_type() && element_type(type.elem_type()) != ElementType::real)
      throw Error("is of " + std::string(name_of(element_type(type.elem_type()))) +
                  " entries; inputs of floats are supported only");
    check_rank(static_cast<std::size_t>(type.shape().dim_size()));
  } catch (const Error& error) {
    throw Error("input '" + shortened(result.name) + "' " + error.what());
  }
  if (!type.has_shape()) return result;
  result.shape.emplace();
  for (const auto& axis : type.shape().dim()) {
    if (!axis.has_dim_value()) {
      result.shape->push_back(std::nullopt);
      continue;
    }
    // Some exporters write 0 or -1 for an axis of any length.
    const std::int64_t length = axis.dim_value();
    if (length > 0 && static_cast<std::uint64_t>(length) > caps::tensors)
      throw Error("input '" + shortened(result.name) + "' has an axis of length " +
                  std::to_string(length));
    result.shape->push_back(length <= 0 ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(length)));
  }
  return result;
}

std::int64_t read_opset(const ModelProto& model) {
  std::optional<std::int64_t> result;
  for (const auto& used : model.opset_import())
    if (used.domain().empty() || used.domain() == "ai.onnx") result = used.version();
  if (!result) {
    if (model.ir_version() >= 3) throw Error("a model without a version of its operators");
    return 1;
  }
  if (*result < 1 || *result > newest_opset)
    throw Error("operators of version " + std::to_string(*result) + "; versions 1 to " +
                std::to_string(newest_opset) +
                " are supported: convert the model, as by onnx.version_converter");
  return *result;
}

}  // namespace

bool looks_like_onnx(std::string_view bytes) {
  // Tags of the fields 1 to 8 and 14 of a model.
  constexpr std::string_view tags("\x08\x12\x1a\x22\x28\x32\x3a\x42\x72", 9);
  constexpr std::uint64_t longest_header = std::uint64_t{1} << 32;  // of a safetensors file
  return bytes.size() >= 8 && tags.find(bytes[0]) != std::string_view::npos &&
         little_endian<std::uint64_t>(bytes.data()) > longest_header;
}

Model parse_model(std::string_view bytes) {
  const ModelProto model = decode(bytes);
  if (!model.has_graph()) throw Error("no ONNX model: it has no graph");
  if (model.functions_size() > 0)
    throw Error("a model with functions of its own ('" + shortened(model.functions(0).name()) +
                "', ...); inline them, as by onnx.inliner.inline_local_functions");
  const GraphProto& graph = model.graph();
  Model result;
  result.opset = read_opset(model);
  std::size_t left = caps::tensors;
  if (graph.sparse_initializer_size() > 0)
    throw Error("a model with sparse tensors, which are not supported");
  for (const auto& tensor : graph.initializer())
    if (!result.initialisers.emplace(tensor.name(), read_tensor(tensor, left)).second)
      throw Error("two tensors are named '" + shortened(tensor.name()) + "'");
  for (const ValueInfoProto& value : graph.input())
    if (!result.initialisers.contains(value.name())) result.inputs.push_back(read_input(value));
  for (const ValueInfoProto& value : graph.output()) result.outputs.push_back(value.name());
  for (const NodeProto& node : graph.node()) result.nodes.push_back(read_node(node, left));
  return result;
}

}  // namespace wmi::frontends::onnx
