// Jobs of `ciber predict` and `ciber evaluate` against one process, byte for byte.

#include "frontends/learning/row_job.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/frontends/learning/price_run.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Solves all units, each until its budget is used up; returns how many there were.
std::size_t solve(const std::string& job, const std::string& budget) {
  std::size_t units = 0;
  for (std::vector<std::string> open; !(open = words(ciber("units " + job).output)).empty();)
    for (const std::string& unit : open) {
      REQUIRE(ciber("part " + job + " --unit " + unit + " --into 2 --budget " + budget).exit == 0);
      ++units;
    }
  return units;
}

/// The answer by a job, and by one process; `printing` are options of how it is printed.
void compare(const std::string& command, const std::string& printing, const std::string& parts,
             const std::string& budget = "60") {
  CAPTURE(command);
  const TemporaryDirectory place;
  const std::string job = place / "job";
  const Finished made = ciber(command + " --job " + job + " --parts " + parts);
  CAPTURE(made.errors);
  REQUIRE(made.exit == 0);
  CHECK(solve(job, budget) > 1);
  const Finished joined = ciber("join " + job + " --recheck 2 " + printing);
  const Finished whole = ciber(command + " " + printing);
  CHECK(joined.output == whole.output);
  CHECK(joined.errors == whole.errors);
  CHECK(joined.exit == whole.exit);
}

TEST_CASE("predictions by a job have the bytes of one process") {
  const PriceRun run;
  std::ofstream(run.path("rows.csv"), std::ios::app) << "1,x\n3,4,5\n";  // two broken rows
  const std::string predict = "predict " + run.run() + " " + run.rows();
  compare(predict, "", "3", "0.0001");
  compare(predict + " --quantiles 0.1 --above 2", "--json", "2");
  compare(predict + " --digits 4", "", "4");
}

TEST_CASE("formulas are solved in blocks of samples, too") {
  const PriceRun run;
  const std::string predict = "predict " + run.run() + " " + run.rows() +
                              " --via wmi --likelihood triangular --partition last:2 --posterior "
                              "minmax";
  compare(predict, "", "1000");
  compare(predict + " --at 2", "--json", "2", "0.0001");
}

TEST_CASE("so are classes, and scores of methods") {
  const PriceRun classes(true);
  compare("predict " + classes.run() + " " + classes.rows() + " --largest", "--json", "4");
  const PriceRun run;
  compare("evaluate " + run.run() + " --data " + run.rows(), "", "20");
}

TEST_CASE("what does not go with a job about rows is refused, and damaged files are named") {
  const PriceRun run;
  const TemporaryDirectory place;
  const std::string job = place / "job";
  const std::string predict = "predict " + run.run() + " " + run.rows() + " --job " + job;
  CHECK(ciber(predict + " --out " + (place / "file")).exit == 2);
  CHECK(ciber("predict " + run.run() + " --input 1,2 --job " + job).exit == 2);
  CHECK_FALSE(fs::exists(place.path() / "job"));
  REQUIRE(ciber(predict + " --parts 2").exit == 0);
  CHECK(ciber("join " + job).exit == 3);
  CHECK(ciber("join " + job + " --allow-open").exit == 2);
  CHECK(ciber("part " + job + " --unit 3").exit == 1);
  solve(job, "60");
  const Finished good = ciber("join " + job);
  CHECK(good.exit == 0);
  const fs::path unit = place.path() / "job/done/1";
  const std::string text = bytes(unit);
  std::ofstream(unit, std::ios::binary) << text.substr(0, text.size() - 5);
  const Finished damaged = ciber("join " + job);
  CHECK(damaged.exit == 1);
  CHECK(damaged.errors.find("done/1: damaged") != std::string::npos);
  solve(job, "60");
  CHECK(ciber("join " + job).output == good.output);
  std::ofstream(place.path() / "job/input/run/run.json", std::ios::app) << " ";
  CHECK(ciber("join " + job).errors.find("has changed since the job was made") !=
        std::string::npos);
}

}  // namespace
}  // namespace wmi::frontends
