#pragma once

#include <cstddef>
#include <vector>

#include "encoders/tensor.h"
#include "frontends/networks/onnx/builder.h"

namespace wmi::frontends::onnx {

/// The distance of neighbouring entries along each axis, in row-major order.
inline std::vector<std::size_t> strides_of(const encoders::Shape& shape) {
  std::vector<std::size_t> result(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) result[axis - 1] = result[axis] * shape[axis];
  return result;
}

/// Calls `entry(index)` for each index of a value of this shape, in row-major order, and returns
/// the results.
template <class Entry>
std::vector<std::size_t> entries_of(const encoders::Shape& shape, const Entry& entry) {
  const std::size_t count = allowed_count(shape);
  std::vector<std::size_t> result, index(shape.size(), 0);
  result.reserve(count);
  while (result.size() < count) {
    result.push_back(entry(index));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

/// The entries of a value in the order that they have after its axes have been permuted: axis i of
/// the result is axis axes[i].
inline std::vector<std::size_t> permuted(const encoders::Shape& shape,
                                         const std::vector<std::size_t>& axes) {
  const std::vector<std::size_t> strides = strides_of(shape);
  encoders::Shape to;
  for (const std::size_t axis : axes) to.push_back(shape[axis]);
  return entries_of(to, [&](const std::vector<std::size_t>& index) {
    std::size_t entry = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) entry += index[i] * strides[axes[i]];
    return entry;
  });
}

}  // namespace wmi::frontends::onnx
