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
