#include "frontends/data/table.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Table parse(const std::string& text) { return parse_table(text, "t.csv"); }

/// What is wrong with the text, or with it under this target.
std::string refusal(const std::string& text, const std::string& target = "",
                    LearningTask task = LearningTask::automatic) {
  try {
    const Table table = parse(text);
    if (!target.empty()) to_dataset(table, fit_schema(table, target, task));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> warnings(const std::string& text, const std::string& target) {
  std::vector<std::string> result;
  fit_schema(parse(text), {target, LearningTask::automatic, {}, {}},
             [&](const std::string& warning) { result.push_back(warning); });
  return result;
}

}  // namespace

TEST_CASE("quotes, line breaks in them, CRLF and a byte order mark are read") {
  const Table table =
      parse("\xef\xbb\xbf\"a\",b , \"c, \"\"d\"\"\"\r\n1, 2,\"x\ny\"\r\n\r\n-3,4e2,\"\"\r\n");
  CHECK(table.columns == std::vector<std::string>{"a", "b", "c, \"d\""});
  CHECK(table.cells == std::vector<std::string>{"1", "2", "x\ny", "-3", "4e2", ""});
  CHECK(table.lines == std::vector<std::size_t>{2, 5});
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

TEST_CASE("the error for a cell that is no number has its line and column") {
  CHECK(refusal("a,y\n1,2\nx,3\n4,5\n", "y") == "t.csv:3: column 'a': 'x' is no number");
  CHECK(refusal("a;y\n1,5;2\n2;3\n4;5\n", "y") ==
        "t.csv:2: column 'a': '1,5' is no number; decimals are written with a point");
  CHECK(refusal("a,y\n1,2\ninf,3\n4,5\n", "y") == "t.csv:3: column 'a': 'inf' is not finite");
  CHECK(refusal("a,y\n1,2\n1e999,3\n4,5\n", "y") == "t.csv:3: column 'a': '1e999' is no number");
  for (const std::string missing : {"NA", "nan", "?", "null"})
    CHECK(refusal("a,y\n1,2\n" + missing + ",3\n4,5\n", "y") ==
          "t.csv:3: column 'a': a missing value (" + missing +
              "); fill it in or take the row or column out");
  CHECK(refusal("a,y\n1,2\n,3\n,5\n7,8\n", "y") ==
        "t.csv:3: column 'a': a missing value, one of 2 in this column; fill it in or take the row "
        "or column out");
  CHECK(refusal("a,y\nu,2\n,3\nv,5\n", "y") ==
        "t.csv:3: column 'a': a missing value; fill it in or take the row or column out");
}

TEST_CASE("a target must exist and must not be constant") {
  CHECK(refusal("a,b\n1,2\n", "y") ==
        "t.csv: there is no column 'y', which is the target; the columns are a, b");
  CHECK(refusal("a,y\n1,2\n3,2\n", "y") ==
        "t.csv: the target 'y' is always 2: there is nothing to learn");
  CHECK(refusal("y\n1\n2\n", "y") == "t.csv: there is no column but the target");
}

TEST_CASE("suspicious columns are accepted with a warning") {
  CHECK(warnings("a,y\n1,2\n1,3\n1,4\n", "y") ==
        std::vector<std::string>{"column 'a' is always 1: it says nothing"});
  CHECK(warnings("a,y\n1,0\n2,1\n3,1\n", "y") ==
        std::vector<std::string>{"the target 'y' has two values only; the task classification "
                                 "takes them as classes"});
  CHECK(warnings("a,y\nu,0\nv,1\nw,2\n", "y").size() == 1);
  CHECK(warnings("a,y\n1,0\n2,1\n3,2\n", "y").empty());
}

TEST_CASE("words are encoded one-hot, and classes as numbers") {
  const Table table = parse("colour,size,kind\nred,1,b\nblue,2,a\nred,3,a\n");
  const Schema schema = fit_schema(table, "kind");
  CHECK(schema.classes == std::vector<std::string>{"a", "b"});
  CHECK(schema.features[0].categories == std::vector<std::string>{"blue", "red"});
  CHECK(input_names(schema) == std::vector<std::string>{"colour=blue", "colour=red", "size"});
  const bnn::Dataset data = to_dataset(table, schema);
  CHECK(data.inputs.entries == std::vector<double>{0, 1, 1, 1, 0, 2, 0, 1, 3});
  CHECK(data.targets == std::vector<double>{1, 0, 0});
  // Later tables are read alike, in whatever order their columns stand.
  const bnn::Dataset later =
      to_dataset(parse_table("size,extra,colour\n7,x,blue\n", "u.csv"), schema, false);
  CHECK(later.inputs.entries == std::vector<double>{1, 0, 7});
  try {
    to_dataset(parse_table("size,colour\n7,green\n", "u.csv"), schema, false);
    FAIL("a word that was never seen");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "u.csv:2: column 'colour': 'green' was not among the training rows; they had blue, red");
  }
}

TEST_CASE("numbers are classes on request, in numerical order") {
  const Table table = parse("a,y\n1,10\n2,9\n3,10\n");
  CHECK(fit_schema(table, "y", LearningTask::classification).classes ==
        std::vector<std::string>{"9", "10"});
  const Schema schema =
      fit_schema(table, {"y", LearningTask::automatic, {"a"}, {}}, [](const std::string&) {});
  CHECK(schema.features[0].categories.size() == 3);
}

TEST_CASE("the hash is that of the cells, independent of separators and quotes") {
  const std::string hash = data_hash(parse("a,b\n1,2\n"));
  CHECK(hash == data_hash(parse("\"a\";b\r\n1;\"2\"\r\n")));
  CHECK(hash != data_hash(parse("a,b\n1,3\n")));
  CHECK(hash != data_hash(parse("a,c\n1,2\n")));
  // sha256sum of 1:21:a1:b1:11:2, the number of columns first.
  CHECK(hash == "sha256:0f34648222d24e0931537978c495dbc7bb7015cda65feb4692ef9e89725f95ce");
}
