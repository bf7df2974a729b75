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

/// The places of an axis after it has been padded; a negative padding cuts entries off. Throws
/// Error if none are left, or too many would be there.
std::vector<std::size_t> padded_places(PaddingMode mode, std::size_t length, std::int64_t before,
                                       std::int64_t after);

}  // namespace wmi::frontends::onnx
