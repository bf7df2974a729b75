#pragma once

#include <string>
#include <string_view>

namespace wmi::frontends {

/// What some editors put before the first character of a file; it means nothing.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/// A token as a message quotes it: a long one is cut, between two characters.
inline std::string shortened(std::string_view token) {
  constexpr std::size_t longest = 40;
  if (token.size() <= longest) return std::string(token);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(token[end]) & 0xc0u) == 0x80u) --end;
  return std::string(token.substr(0, end)) + "...";
}

}  // namespace wmi::frontends
