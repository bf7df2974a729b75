#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

namespace wmi::frontends {

/// Written by some editors at the beginning of a file; readers skip it.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/// A token for a message; a long one is cut between two UTF-8 characters.
inline std::string shortened(std::string_view token) {
  constexpr std::size_t longest = 40;
  if (token.size() <= longest) return std::string(token);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(token[end]) & 0xc0u) == 0x80u) --end;
  return std::string(token.substr(0, end)) + "...";
}

/// `a, b or c`: the names of entries.
template <class Name = std::identity>
std::string alternatives(const auto& entries, Name name_of = {}) {
  std::string result;
  std::size_t left = std::size(entries);
  for (const auto& entry : entries) {
    const std::string_view name = std::invoke(name_of, entry);
    if (!result.empty()) result += left == 1 ? " or " : ", ";
    result += name;
    --left;
  }
  return result;
}

}  // namespace wmi::frontends
