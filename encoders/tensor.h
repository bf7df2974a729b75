#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi::encoders {

/// The lengths of a value's axes; a number has none.
using Shape = std::vector<std::size_t>;

/// The number of entries; throws Error beyond `caps::entries`.
inline std::size_t entry_count(const Shape& shape) {
  std::size_t result = 1;
  for (const std::size_t length : shape) {
    if (length != 0 && result > caps::entries / length)
      throw Error("a value with too many entries");
    result *= length;
  }
  return result;
}

/// `[3, 4]`, for messages.
inline std::string to_string(const Shape& shape) {
  std::string result = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    result += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return result + "]";
}

/// The index of an entry, as in names: `[0,3]`.
inline std::string index_name(const Shape& shape, std::size_t entry) {
  std::string result;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    result = std::to_string(entry % shape[axis]) + (result.empty() ? "" : "," + result);
    entry /= shape[axis];
  }
  return "[" + result + "]";
}

/// Entries in row-major order, the last axis fastest.
template <class T>
struct Tensor {
  Shape shape;
  std::vector<T> entries;

  Tensor() = default;
  Tensor(Shape s, std::vector<T> e) : shape(std::move(s)), entries(std::move(e)) {}

  /// All entries the same.
  static Tensor filled(const Shape& shape, const T& entry) {
    return {shape, std::vector<T>(entry_count(shape), entry)};
  }

  std::size_t size() const { return entries.size(); }

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

}  // namespace wmi::encoders
