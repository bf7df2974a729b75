#pragma once

#include <string>
#include <vector>

namespace wmi::frontends {

/// What becomes of a cell that a spreadsheet would compute, because it starts with one of = + - @
/// (or a tab, or a carriage return) and is no number: a ' before it makes it text, or it is kept.
enum class CsvFormulas { quoted, kept };

/// A cell of a CSV file, quoted if RFC 4180 requires it.
///
///     csv_cell("=1+1");  // '=1+1
std::string csv_cell(const std::string& text, CsvFormulas formulas = CsvFormulas::quoted);

/// A line of a CSV file, with its line break.
///
///     csv_line({"mean", "a, b"});  // mean,"a, b"
std::string csv_line(const std::vector<std::string>& cells,
                     CsvFormulas formulas = CsvFormulas::quoted);

}  // namespace wmi::frontends
