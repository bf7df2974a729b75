#include "frontends/data/schema.h"

#include <doctest/doctest.h>

#include <cmath>

#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Table parse(const std::string& text) { return parse_table(text, "t.csv"); }

/// What is wrong with the text under this target.
std::string refusal(const std::string& text, const std::string& target) {
  try {
    const Table table = parse(text);
    to_dataset(table, fit_schema(table, target));
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

TEST_CASE("the error for a cell that is no number has its line and column") {
  CHECK(refusal("a,y\n1,2\nx,3\n4,5\n", "y") == "t.csv:3: column 'a': 'x' is no number");
  CHECK(refusal("a,y\n\"1,5\",2\n2,3\n4,5\n", "y") ==
        "t.csv:2: column 'a': '1,5' is no number; decimals are written with a point");
  CHECK(refusal("a,y\n1,2\ninf,3\n4,5\n", "y") == "t.csv:3: column 'a': 'inf' is not finite");
  CHECK(refusal("a,y\n1,2\n1e999,3\n4,5\n", "y") == "t.csv:3: column 'a': '1e999' is no number");
  for (const std::string missing : {"NA", "nan", "?", "null"})
    CHECK(refusal("a,y\n1,2\n2," + missing + "\n4,5\n", "y") ==
          "t.csv:3: column 'y': a missing value (" + missing +
              "); fill it in or take the row or column out");
  CHECK(refusal("a,y\n1,2\n2,\n3,\n7,8\n", "y") ==
        "t.csv:3: column 'y': a missing value, one of several in this column; fill it in or take "
        "the row "
        "or column out");
}

TEST_CASE("numbers with commas do not become categories") {
  CHECK(
      refusal("a,y\n\"1,5\",2\n\"2,25\",3\n\"4,5\",5\n", "y") ==
      "t.csv: column 'a' has numbers with a comma, such as '1,5'; write decimals with a point, or "
      "separate cells by semicolons");
  CHECK(refusal("a;y\n1,5;2\n2;3\n4,25;5\n", "y") == "");
  CHECK(warnings("a;y\n1,5;2\n2;3\n4,25;5\n", "y") ==
        std::vector<std::string>{"numbers with a decimal comma are read as if with a point"});
}

TEST_CASE("one bad row is one bad row") {
  const Schema schema = fit_schema(parse("a,b,y\n1,u,2\n3,v,4\n"), "y");
  const Table table =
      parse_table("y,b,a\n1,u,5\n,v,6\n2,w,7\n3,v\n4,v,x\nz,u,8\n", "t.csv", BrokenRows::kept);
  const ReadRows rows = read_rows(table, schema);
  CHECK(rows.data.inputs.row(0)[0] == 5);
  CHECK(rows.data.targets[0] == 1);
  CHECK(rows.data.inputs.row(1)[0] == 6);
  CHECK(std::isnan(rows.data.targets[1]));
  CHECK(rows.errors == std::map<std::size_t, std::string>{
                           {2,
                            "t.csv:4: column 'b': 'w' was not among the training rows; they had "
                            "u, v"},
                           {3, "t.csv:5: 2 cells, not 3"},
                           {4, "t.csv:6: column 'a': 'x' is no number"},
                           {5, "t.csv:7: column 'y': 'z' is no number"}});
  CHECK(rows.data.inputs.row(4)[0] == 0);
  CHECK(read_rows(parse("a,b\n1,u\n"), schema).data.targets.empty());
  CHECK_THROWS_AS(read_rows(parse("a,y\n1,2\n"), schema), Error);
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

TEST_CASE("targets of few whole numbers are noticed") {
  const auto whole = [](const std::string& text) { return fit_schema(parse(text), "y").whole; };
  REQUIRE(whole("a,y\n1,-2\n2,3.0\n3,0\n"));
  CHECK(whole("a,y\n1,-2\n2,3.0\n3,0\n")->least == -2);
  CHECK(whole("a,y\n1,-2\n2,3.0\n3,0\n")->most == 3);
  CHECK(!whole("a,y\n1,2\n2,3.5\n3,0\n"));
  CHECK(!whole("a,y\n1,0\n2,200\n3,7\n"));
  CHECK(whole("a,y\n1,0\n2,199\n3,7\n"));
  CHECK(!whole("a,y\n1,u\n2,v\n3,u\n"));
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

TEST_CASE("a missing number is the median, and an input marks it") {
  const Table table = parse("a,y\n1,2\n,3\n10,5\nNA,8\n4,9\n");
  const Schema schema = fit_schema(table, "y");
  CHECK(schema.features[0].median == 4);
  CHECK(input_names(schema) == std::vector<std::string>{"a", "a (missing)"});
  const bnn::Dataset data = to_dataset(table, schema);
  CHECK(data.inputs.entries == std::vector<double>{1, 0, 4, 1, 10, 0, 4, 1, 4, 0});
  // A column that had no missing values does not get them later.
  const Schema full = fit_schema(parse("a,y\n1,2\n2,3\n"), "y");
  CHECK_THROWS_AS(to_dataset(table, full), Error);
  CHECK(refusal("a,b,y\n,1,2\n,2,3\n", "y").starts_with("t.csv:2: column 'a': a missing value"));
}

TEST_CASE("rare and missing words are one, and so are words that come later") {
  std::string text = "a,y\n";
  for (int i = 0; i < 400; ++i)
    text += (i == 7       ? "once"
             : i == 8     ? ""
             : i % 2 == 0 ? "u"
                          : "v") +
            ("," + std::to_string(i)) + "\n";
  const Schema schema = fit_schema(parse(text), "y");
  CHECK(schema.features[0].categories == std::vector<std::string>{"u", "v"});
  CHECK(schema.features[0].other);
  CHECK(input_names(schema) == std::vector<std::string>{"a=u", "a=v", "a=(other)"});
  const bnn::Dataset later = to_dataset(parse("a,y\nv,1\nonce,2\nnew,3\n"), schema);
  CHECK(later.inputs.entries == std::vector<double>{0, 1, 0, 0, 0, 1, 0, 0, 1});
  const auto said = [&](const std::string& rows) {
    return read_rows(parse("a,y\n" + rows), schema).other_words;
  };
  CHECK(said("v,1\n,2\n").empty());
  CHECK(said("v,1\nnew,2\n") ==
        std::vector<std::string>{"column 'a': 'new' was not among the training rows, or rarely; it "
                                 "is taken as rare and missing words are"});
  // A row that cannot be read is reported as such.
  CHECK(said("once,x\nv,1\n").empty());
  REQUIRE(said("once,1\nnew,2\n").size() == 1);
  CHECK(said("once,1\nnew,2\n")[0].starts_with("column 'a': 'once', one of 2 such cells, was"));
  // In a short table no word is rare.
  CHECK(!fit_schema(parse("a,y\nu,1\nv,2\nv,3\n"), "y").features[0].other);
}

TEST_CASE("columns that repeat have sine and cosine of their period") {
  const Table table = parse("hour,z,y\n0,1,1\n6,5,2\n,2,3\n30,3,5\n");
  SchemaRequest request{"y", LearningTask::automatic, {}, {}, {{"hour", 24}}, 0};
  const auto fit = [&] { return fit_schema(table, request, [](const std::string&) {}); };
  const Schema schema = fit();
  CHECK(input_names(schema) == std::vector<std::string>{"hour", "hour (period 24, sine)",
                                                        "hour (period 24, cosine)",
                                                        "hour (missing)", "z"});
  CHECK(input_count(schema) == 5);
  const bnn::Dataset data = to_dataset(table, schema);
  CHECK(data.inputs.at(0, 1) == doctest::Approx(0));
  CHECK(data.inputs.at(0, 2) == doctest::Approx(1));
  CHECK(data.inputs.at(1, 1) == doctest::Approx(1));  // a quarter of a day
  CHECK(data.inputs.at(3, 1) == doctest::Approx(1));  // and a day later
  CHECK(data.inputs.at(2, 3) == 1);                   // missing
  CHECK(data.inputs.at(3, 3) == 0);
  CHECK(data.inputs.at(3, 4) == 3);
  request.waves = 2;  // of both columns, of the ranges 30 and 4
  CHECK(fit().features[0].periods == std::vector<double>{60, 30, 24});
  CHECK(fit().features[1].periods == std::vector<double>{8, 4});
  request.periods = {{"minute", 60}};
  CHECK_THROWS_AS(fit(), Error);
  request.periods = {{"z", 7}};
  const Table words = parse("z,y\nu,1\nv,2\nv,3\n");
  CHECK_THROWS_WITH_AS(fit_schema(words, request, [](const std::string&) {}),
                       "t.csv: column 'z' has words, so that it has no period", Error);
  for (const char* const name : {"y", "hour"}) {
    request.periods = {{name, 60}};
    request.ignored = {"hour"};
    CHECK_THROWS_WITH_AS(
        fit(), ("t.csv: column '" + std::string(name) + "' has a period, and is no input").c_str(),
        Error);
  }
}

TEST_CASE("dates are days and seasons") {
  CHECK(date_days("1970-01-01") == 0);
  CHECK(date_days("1970-01-02T12:00") == 1.5);
  CHECK(date_days("2000-02-29 18:00:00Z") == 11016.75);  // 30 years, 7 leap days, 31 + 28 days
  for (const char* text : {"2001-02-29", "1970-1-1", "1970-01-01x", "1970-01-01 25:00", "12", ""})
    CHECK(!date_days(text));
  for (const char* text :
       {"1970-01-01", "2000-02-29 18:05", "1969-12-31 23:59", "0000-03-01", "9999-12-31"})
    CHECK(date_text(*date_days(text)) == text);
  CHECK(date_text(0.99999) == "1970-01-02");  // to the minute
  CHECK(date_text(1e7) == "1e+07");
  CHECK(date_text(-1e300) == "-1e+300");
  const Table table = parse("d,y\n1970-01-01,1\n1970-07-02,2\n");
  const Schema schema = fit_schema(table, "y");
  CHECK(schema.features[0].date);
  CHECK(input_count(schema) == 3);
  const bnn::Dataset data = to_dataset(table, schema);
  CHECK(data.inputs.at(0, 0) == 0);
  CHECK(data.inputs.at(0, 2) == 1);
  CHECK(data.inputs.at(1, 0) == 182);  // half a year later
  CHECK(data.inputs.at(1, 2) == doctest::Approx(-1).epsilon(1e-3));
}
