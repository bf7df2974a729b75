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

/// The number of entries; throws Error beyond 2^32.
inline std::size_t entry_count(const Shape& shape) {
  std::size_t result = 1;
  for (const std::size_t length : shape) {
    if (length != 0 && result > (std::size_t{1} << 32) / length)
      throw Error("a value with too many entries");
    result *= length;
  }
  return result;
}

/// Throws Error if a value of this shape and `before` entries of other values are more than
/// `caps::entries`. Returns how many they are. A layer whose value may be much larger than its
/// inputs and parameters calls it before memory is spent.
inline std::size_t checked_entries(const Shape& shape, std::size_t before = 0) {
  const std::size_t result = before + entry_count(shape);
  if (result > caps::entries)
    throw Error("the values of the layers up to here have more than " +
                std::to_string(caps::entries) + " entries, the cap 'entries'");
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

/// For each entry of a value of shape `to`, the entry of one of shape `from` that is broadcast to it:
/// the last axes are aligned, and axes of length 1 are repeated. Throws Error if they do not fit.
///
///     broadcast({3, 1}, {3, 2});  // 0, 0, 1, 1, 2, 2
inline std::vector<std::size_t> broadcast(const Shape& from, const Shape& to) {
  bool fits = from.size() <= to.size();
  for (std::size_t i = 1; fits && i <= from.size(); ++i) {
    const std::size_t length = from[from.size() - i];
    fits = length == 1 || length == to[to.size() - i];
  }
  if (!fits)
    throw Error("a tensor " + to_string(from) + " cannot be broadcast to " + to_string(to));
  const std::size_t count = entry_count(to);
  if (count == 0) return {};
  std::vector<std::size_t> result{0};
  result.reserve(count);
  std::size_t stride = 1;  // of the current axis in `from`
  for (std::size_t i = 1; i <= to.size(); ++i) {
    const std::size_t length = to[to.size() - i], inner = result.size();
    const std::size_t step = i > from.size() || from[from.size() - i] == 1 ? 0 : stride;
    for (std::size_t j = inner; j < length * inner; ++j) result.push_back(result[j - inner] + step);
    if (step > 0) stride *= length;
  }
  return result;
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
