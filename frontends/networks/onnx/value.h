#pragma once

#include <string>
#include <variant>

#include "encoders/tensor.h"
#include "frontends/networks/onnx/model.h"

namespace wmi::frontends::onnx {

/// The output of a layer, or `input`, in the shape that ONNX sees: with a batch of 1, while the
/// layer has none. The entries are the same, in row-major order.
struct Activation {
  std::string layer;
  encoders::Shape shape;
};

/// A value of an ONNX graph.
using Value = std::variant<Constant, Activation>;

inline const encoders::Shape& shape_of(const Value& value) {
  if (const auto* const constant = std::get_if<Constant>(&value)) return constant->tensor.shape;
  return std::get<Activation>(value).shape;
}

}  // namespace wmi::frontends::onnx
