#pragma once

#include <string>
#include <string_view>

#include "frontends/common/utf8.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

/// `text` as a JSON string, with its quotes. Throws Error when it is not UTF-8.
inline std::string json_string(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || text[0] == '\0') throw Error("a name or word is not text");
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte < 0x20)
      result += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
    else
      result += (byte == '"' || byte == '\\' ? "\\" : "") + std::string(text.substr(0, length));
    text.remove_prefix(length);
  }
  return result + "\"";
}

}  // namespace wmi::frontends
