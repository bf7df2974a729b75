#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wmi::frontends {

inline constexpr long most_seconds = 1'000'000'000;

/// `5`, `0.25`: above 0 and up to `most_seconds`; nothing if it is no such number.
std::optional<double> parse_seconds(const std::string& text);

/// `500` (megabytes), `500M`, `2G`, `0.5G`: bytes; nothing if it is no such size.
std::optional<std::size_t> parse_bytes(const std::string& text);

}  // namespace wmi::frontends
