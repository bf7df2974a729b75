#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "encoders/tensor.h"
#include "solver/terms/rational.h"

namespace wmi::frontends {

/// The content of a safetensors file: named tensors, with the exact values of their floats, and
/// named strings (metadata).
struct Safetensors {
  std::map<std::string, encoders::Tensor<Rational>, std::less<>> tensors;
  std::map<std::string, std::string, std::less<>> metadata;

  friend bool operator==(const Safetensors&, const Safetensors&) = default;
};

/// Parses the bytes of a safetensors file. Throws Error if they are not one, for types other than
/// F64, F32, F16, BF16, I64, I32, U8 and BOOL, and for entries that are not finite.
///
/// A file is 8 bytes, the little-endian length of a header; the header, JSON
///
///     {"fc1.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
///      "__metadata__": {"network": "..."}}
///
/// and the data, little-endian and in row-major order, which the tensors partition.
Safetensors parse_safetensors(std::string_view bytes);
Safetensors read_safetensors(const std::string& path);

/// The bytes that `parse_safetensors` reads back. Each tensor has the first of the types F32, F64
/// and I64 that represents its entries exactly; throws Error, naming an entry, if none does.
std::string to_bytes(const Safetensors& file);
void write_safetensors(const std::string& path, const Safetensors& file);

}  // namespace wmi::frontends
