#include "frontends/learning/prediction_rows.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "tests/frontends/learning/given.h"
#include "tests/frontends/learning/price_run.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("rows are standardised as the run was, and outcomes keep their units") {
  const PriceRun folder;
  const Run run = read_run(folder.path("toy.run"));
  const Rows rows = read_rows(run, folder.path("rows.csv"));
  CHECK(rows.inputs.entries == std::vector<double>{0.5, 0.5, -0.5, -1});  // size: mean 1, scale 2
  CHECK(rows.outcomes == std::vector<double>{4, 1.5});
  const Rows unknown = read_rows(run, folder.file("new.csv", "age,size\n0.5,2\n"));
  CHECK(unknown.inputs.entries == std::vector<double>{0.5, 0.5});
  CHECK(unknown.outcomes.empty());
}

TEST_CASE("rows that can be read and have an outcome are scored, at their places in the table") {
  const PriceRun folder;
  const Run run = read_run(folder.path("toy.run"));
  const auto read = [&](const std::string& text) {
    return read_scored_rows(run, parse_table(text, "t.csv", BrokenRows::kept));
  };
  const ScoredRows rows = read("age,size,price\n0.5,2,4\n0.5,x,4\n0.5,2,\n-1,0,1.5\n1,2\n");
  CHECK(rows.places == std::vector<std::size_t>{0, 3});
  CHECK(rows.own.targets == std::vector<double>{4, 1.5});
  CHECK(rows.standard.inputs.entries == std::vector<double>{0.5, 0.5, -0.5, -1});
  CHECK(rows.standard.targets == std::vector<double>{0.5, -0.75});  // price: mean 3, scale 2
  CHECK(rows.broken);
  CHECK(rows.said == std::vector<std::string>{"t.csv:3: column 'size': 'x' is no number",
                                              "t.csv:6: 2 cells, not 3", "2 of 5 rows are left out",
                                              "1 of 5 rows have no 'price' and are left out"});
  const ScoredRows unknown = read("age,size\n0.5,2\n");
  CHECK(unknown.standard.targets.empty());
  CHECK(unknown.own.targets.empty());
  CHECK(!unknown.broken);
  CHECK(unknown.said.empty());
  CHECK(complaint([&] { read("age,size,price\n0.5,2,\n"); }) == "t.csv: no row has a 'price'");
  CHECK(complaint([&] { read("age,size,price\n0.5,x,1\n"); }) ==
        "t.csv:2: column 'size': 'x' is no number");
}

TEST_CASE("inputs are limited where the run says so, and kept as they were for warnings") {
  const PriceRun folder;
  Run run = read_run(folder.path("toy.run"));
  CHECK(read_input_row(run, "9,0.5").unlimited.entries.empty());
  run.standardisation.input_least = {-1, -1};
  run.standardisation.input_most = {1, 0.25};
  const Rows rows = read_input_row(run, "9,0.5");  // size: mean 1, scale 2
  CHECK(rows.unlimited.entries == std::vector<double>{4, 0.5});
  CHECK(rows.inputs.entries == std::vector<double>{1, 0.25});
}

TEST_CASE("one input has a value for each column") {
  const PriceRun folder;
  const Run run = read_run(folder.path("toy.run"));
  CHECK(read_input_row(run, "2,0.5").inputs.entries == std::vector<double>{0.5, 0.5});
  CHECK_THROWS_AS(read_input_row(run, "2"), UsageError);
  CHECK(complaint([&] {
          read_input_row(run, "1e300,1");
        }).starts_with("--input:1: column 'size': more than 1e15 standard deviations"));
}

TEST_CASE("a row is named by its values, by its place in a table, or among the training rows") {
  const PriceRun folder;
  const auto named = [&](const std::vector<std::string>& words) {
    const Settings settings = given(explain_command(), words);
    return read_named_row(read_predictor(folder.path("toy.run"), settings), settings);
  };
  CHECK(named({"--input", "2,0.5"}).outcomes.empty());
  const Rows second = named({"--data", folder.path("rows.csv"), "--row", "1"});
  CHECK(second.inputs.entries == std::vector<double>{-0.5, -1});
  CHECK(second.outcomes == std::vector<double>{1.5});
  const Rows trained = named({"--row", "2"});
  CHECK(trained.inputs.entries == std::vector<double>{0.5, 0.5});
  CHECK(trained.outcomes == std::vector<double>{4});  // 3 + 2 * 0.5
  CHECK_THROWS_AS(named({}), UsageError);
  CHECK_THROWS_AS(named({"--row", "4"}), UsageError);
}
