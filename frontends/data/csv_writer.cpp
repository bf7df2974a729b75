#include "frontends/data/csv_writer.h"

namespace wmi::frontends {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string result;
  for (std::size_t i = 0; i < cells.size(); ++i) result += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return result + "\n";
}

}  // namespace wmi::frontends
