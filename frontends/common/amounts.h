#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wmi::frontends {

inline constexpr long most_seconds = 1'000'000'000;

/// Seconds such as `5` or `0.25`, positive and at most `most_seconds`; nullopt for other text.
std::optional<double> parse_seconds(const std::string& text);

/// A size in bytes, from `500` (MiB), `500M`, `2G` or `0.5G`; nullopt for other text.
std::optional<std::size_t> parse_bytes(const std::string& text);

}  // namespace wmi::frontends
