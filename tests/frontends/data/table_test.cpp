#include "frontends/data/table.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/process.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Table parse(const std::string& text) { return parse_table(text, "t.csv"); }

/// What is wrong with the text.
std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("quotes, line breaks in them, CRLF and a byte order mark are read") {
  const Table table =
      parse("\xef\xbb\xbf\"a\",b , \"c, \"\"d\"\"\"\r\n1, 2,\"x\ny\"\r\n\r\n-3,4e2,\"\"\r\n");
  CHECK(table.columns == std::vector<std::string>{"a", "b", "c, \"d\""});
  CHECK(table.cells == std::vector<std::string>{"1", "2", "x\ny", "-3", "4e2", ""});
  CHECK(table.lines == std::vector<std::size_t>{2, 5});
}

TEST_CASE("decimal commas are read where commas do not separate cells") {
  const Table table = parse("a;b;c;d\n7,4;x,y;1.5;2\n-0,5e1;3,4;2,5;NA\n");
  CHECK(table.decimal_commas);
  CHECK(table.cells ==
        std::vector<std::string>{"7.4", "x,y", "1.5", "2", "-0.5e1", "3,4", "2,5", "NA"});
  CHECK(!parse("a,b\n1,2\n").decimal_commas);
  CHECK(decimal_comma_number("7,4") == 7.4);
  CHECK(!decimal_comma_number("7.4"));
  CHECK(!decimal_comma_number("1,234,567"));
}

TEST_CASE("rows of another length are kept on request") {
  const std::string text = "a,b\n1\n3,4\n5,6,7\n";
  CHECK(refusal(text) == "t.csv:2: 1 cells, not 2");
  const Table table = parse_table(text, "t.csv", BrokenRows::kept);
  CHECK(table.cells == std::vector<std::string>{"1", "", "3", "4", "5", "6"});
  CHECK(table.broken == std::map<std::size_t, std::string>{{0, "t.csv:2: 1 cells, not 2"},
                                                           {2, "t.csv:4: 3 cells, not 2"}});
}

TEST_CASE("an index column of pandas is explained") {
  CHECK(refusal(",a,b\n0,1,2\n") ==
        "t.csv:1: the first column has no name; an index of pandas is left out by to_csv(..., "
        "index=False)");
  CHECK(refusal("a,,b\n0,1,2\n") == "t.csv:1: a column has no name");
}

TEST_CASE("compressed tables and pipes are read") {
  const TemporaryDirectory directory;
  directory.file("t.csv", "a,b\n1,2\n");
  REQUIRE(run("gzip -k " + directory / "t.csv" + " && mkfifo " + directory / "pipe").exit == 0);
  CHECK(read_table(directory.path("t.csv.gz")).cells == std::vector<std::string>{"1", "2"});
  REQUIRE(run("cat " + directory / "t.csv" + " > " + directory / "pipe" + " &").exit == 0);
  CHECK(read_table(directory.path("pipe")).cells == std::vector<std::string>{"1", "2"});
}

TEST_CASE("semicolons, tabs and white space separate too") {
  for (const char* text : {"a;b\n1;2\n", "a\tb\n1\t2\n", "a b\n  1   2 \n"}) {
    CAPTURE(text);
    const Table table = parse(text);
    CHECK(table.columns == std::vector<std::string>{"a", "b"});
    CHECK(table.cells == std::vector<std::string>{"1", "2"});
  }
  const Table numbers = parse("1 2\n3 4");
  CHECK(!numbers.header);
  CHECK(numbers.columns == std::vector<std::string>{"c1", "c2"});
  CHECK(numbers.rows() == 2);
}

TEST_CASE("errors in a table have their line") {
  CHECK(refusal("") == "t.csv: is empty");
  CHECK(refusal("\n\n") == "t.csv: is empty");
  CHECK(refusal("a,b\n") == "t.csv: has a header and no rows");
  CHECK(refusal("a,b\n1,2\n3\n") == "t.csv:3: 1 cells, not 2");
  CHECK(refusal("a,a\n1,2\n") == "t.csv:1: two columns are named 'a'");
  CHECK(refusal("a,\n1,2\n") == "t.csv:1: a column has no name");
  CHECK(refusal("a,b\n\"1,2\n") == "t.csv:2: a quote is never closed");
  CHECK(refusal("a,b\n\"1\"x,2\n") ==
        "t.csv:2: after a closing quote the cell goes on; a quote in it is written \"\"");
  CHECK(refusal("a,b\n\xff,2\n") == "t.csv:2: this is no text in UTF-8");
}

TEST_CASE("the hash is that of the cells, independent of separators and quotes") {
  const std::string hash = data_hash(parse("a,b\n1,2\n"));
  CHECK(hash == data_hash(parse("\"a\";b\r\n1;\"2\"\r\n")));
  CHECK(hash != data_hash(parse("a,b\n1,3\n")));
  CHECK(hash != data_hash(parse("a,c\n1,2\n")));
  // sha256sum of 1:21:a1:b1:11:2, the number of columns first.
  CHECK(hash == "sha256:0f34648222d24e0931537978c495dbc7bb7015cda65feb4692ef9e89725f95ce");
}
