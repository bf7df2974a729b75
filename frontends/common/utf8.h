#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wmi::frontends {

/// The number of bytes of the first UTF-8 character of `text`; 0 if it is empty or malformed: a
/// stray or missing continuation byte, an overlong form, a surrogate. Ours: the standard library
/// has only deprecated converters, and a Unicode library is too large for one function.
inline std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0u) != 0x80u) return 0;
    code = (code << 6) | (byte & 0x3fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

}  // namespace wmi::frontends
