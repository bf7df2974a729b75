#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi::frontends::onnx {

/// What the entries of a tensor are; floats of every precision are reals.
enum class ElementType { real, boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

std::string_view name_of(ElementType type);
bool is_integer(ElementType type);

/// Throws Error if an entry is none of this type: a fraction, or out of its range. What ONNX makes
/// of such results (they wrap around, or are rounded) is not supported.
void check_entries(ElementType type, const std::vector<Rational>& entries);

/// The most axes that a value may have.
inline constexpr std::size_t most_axes = 32;
/// Throws Error if there are more.
void check_rank(std::size_t rank);

}  // namespace wmi::frontends::onnx
