#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wmi::frontends {

/// The text with paragraphs and list items wrapped at so many columns; tables, code, headings and
/// pictures keep their lines. Never breaks inside a code span, or where a line would become a list
/// item.
std::string wrapped(std::string_view markdown, std::size_t columns = 100);

}  // namespace wmi::frontends
