#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// Numbers in this range, or nullopt for any other text.
std::optional<double> parse_number(std::string_view text, double least, double most);
std::optional<std::size_t> parse_count(std::string_view text, std::size_t least, std::size_t most);

/// `50,20`: whole numbers above 0 with commas between, or nullopt for any other text.
std::optional<std::vector<std::size_t>> parse_counts(std::string_view text);

}  // namespace wmi::frontends
