#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// The items between the commas, empty ones included.
///
///     comma_separated("3.5,,red");  // 3.5, an empty item, red
inline std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    result.emplace_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return result;
}

}  // namespace wmi::frontends
