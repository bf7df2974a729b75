#include "frontends/data/csv_writer.h"

#include <doctest/doctest.h>

#include "frontends/data/table.h"

namespace wmi::frontends {
namespace {

TEST_CASE("cells are quoted if they have a separator, a quote or a line break") {
  CHECK(csv_cell("a b") == "a b");
  CHECK(csv_cell("a, b") == "\"a, b\"");
  CHECK(csv_cell("a \"b\"") == "\"a \"\"b\"\"\"");
  CHECK(csv_cell("a\nb") == "\"a\nb\"");
}

TEST_CASE("a cell that a spreadsheet would compute becomes text, unless it is kept") {
  for (const std::string cell : {"=1+1", "+a", "-a", "@sum", "-", "\tx", "=1"})
    CHECK(csv_cell(cell) == "'" + cell);
  CHECK(csv_cell("=\"a\"") == "\"'=\"\"a\"\"\"");
  CHECK(csv_cell("=1+1", CsvFormulas::kept) == "=1+1");
  CHECK(csv_line({"=1+1", "-1"}, CsvFormulas::kept) == "=1+1,-1\n");
  for (const std::string cell : {"-1", "+1.5", "-1e-300", "-inf", "1-1", "", "a=b"})
    CHECK(csv_cell(cell) == cell);
}

TEST_CASE("the reader of tables reads the lines that are written") {
  const std::vector<std::string> columns{"x", "a, \"b\"", "c\nd"}, cells{"1", "\"", "e,f"};
  const Table table = parse_table(csv_line(columns) + csv_line(cells), "t");
  CHECK(table.columns == columns);
  CHECK(table.cells == cells);
}

}  // namespace
}  // namespace wmi::frontends
