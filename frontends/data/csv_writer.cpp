#include "frontends/data/csv_writer.h"

#include <charconv>
#include <string_view>
#include <system_error>

namespace wmi::frontends {
namespace {

bool is_formula(const std::string& text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text[0]) == std::string_view::npos)
    return false;
  const char* const end = text.data() + text.size();
  double number = 0;  // from_chars takes no plus
  const auto [stop, error] = std::from_chars(text.data() + (text[0] == '+' ? 1 : 0), end, number);
  return error == std::errc::invalid_argument || stop != end;
}

}  // namespace

std::string csv_cell(const std::string& text, CsvFormulas formulas) {
  if (formulas == CsvFormulas::quoted && is_formula(text))
    return csv_cell("'" + text, CsvFormulas::kept);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + "\"";
}

std::string csv_line(const std::vector<std::string>& cells, CsvFormulas formulas) {
  std::string result;
  for (std::size_t i = 0; i < cells.size(); ++i)
    result += (i > 0 ? "," : "") + csv_cell(cells[i], formulas);
  return result + "\n";
}

}  // namespace wmi::frontends
