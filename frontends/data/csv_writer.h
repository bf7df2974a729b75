#pragma once

#include <string>
#include <vector>

namespace wmi::frontends {

/// A cell of a CSV file, quoted if RFC 4180 requires it.
std::string csv_cell(const std::string& text);

/// A line of a CSV file, with its line break.
///
///     csv_line({"mean", "a, b"});  // mean,"a, b"
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace wmi::frontends
