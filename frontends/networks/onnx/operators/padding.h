#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wmi::frontends::onnx {

/// What a padded axis has outside: the place of its own that is there, or `encoders::nothing`.
using PaddingMode = std::size_t (*)(std::int64_t place, std::int64_t length);

/// The mode of this name: constant, edge, reflect or wrap. Throws Error.
PaddingMode find_padding_mode(std::string_view name);

/// The padding of an axis; a negative one cuts entries off.
struct Padding {
  std::int64_t before = 0, after = 0;
};

/// The length of an axis after it has been padded. Throws Error if nothing is left, or if it would
/// be too long.
std::size_t padded_length(std::size_t length, const Padding& padding);
/// The places of its own that such an axis has.
std::vector<std::size_t> padded_places(PaddingMode mode, std::size_t length,
                                       const Padding& padding);

}  // namespace wmi::frontends::onnx
