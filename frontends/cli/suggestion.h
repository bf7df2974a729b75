#pragma once

#include <span>
#include <string_view>

namespace wmi::frontends {

/// The word that a misspelt one was probably meant to be: the first nearest one, at most two
/// insertions, deletions or replacements away. Empty if none is that near.
///
///     constexpr std::string_view words[] = {"epochs", "seed"};
///     suggestion("epoch", words);  // epochs
std::string_view suggestion(std::string_view misspelt, std::span<const std::string_view> words);

}  // namespace wmi::frontends
