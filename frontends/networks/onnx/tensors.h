#pragma once

#include "frontends/networks/onnx/model.h"

namespace onnx {
class TensorProto;
}

namespace wmi::frontends::onnx {

/// The exact numbers of a tensor. Subtracts its entries from `left`, the number that the tensors of
/// a model may still have. Throws Error for data in another file, of other types, of the wrong
/// size, or not finite.
Constant read_tensor(const ::onnx::TensorProto& tensor, std::size_t& left);

/// The type of a number of TensorProto.DataType. Throws Error for those that are not supported.
ElementType element_type(std::int64_t number);

}  // namespace wmi::frontends::onnx
