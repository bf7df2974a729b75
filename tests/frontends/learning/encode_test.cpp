// ciber encode, run as its users run it.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "tests/frontends/learning/price_run.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

TEST_CASE("formulas, laws and written files give the same numbers") {
  const PriceRun folder;
  for (const char* options : {"--partition last:2 --posterior minmax", "--partition second:3"}) {
    CAPTURE(options);
    const std::string common = std::string(" --likelihood triangular ") + options;
    const auto formulas = objects(
        ciber("predict " + folder.run() + " " + folder.rows() + " --json --via wmi" + common));
    const auto laws = objects(
        ciber("predict " + folder.run() + " " + folder.rows() + " --json --digits 12" + common));
    const double expected = formulas[0]["density"]["decimal"];
    CHECK(expected == doctest::Approx(laws[0]["density"]["decimal"].get<double>()).epsilon(1e-12));
    CHECK(formulas[0]["mean"]["decimal"].get<double>() ==
          doctest::Approx(laws[0]["mean"]["decimal"].get<double>()).epsilon(1e-14));

    const std::string out = (folder.path() / "formulas").string();
    const Finished written = ciber("encode " + folder.run() + " --data " + folder.rows() +
                                   " --row 0 --out " + quoted(out) + common);
    CAPTURE(written.errors);
    REQUIRE(written.exit == 0);
    double density = 0, mean = 0;
    for (const char* file : {"000.smt2", "001.smt2", "002.smt2"}) {
      const auto answers =
          objects(run(quoted(program_path("wmi")) + " --json " + quoted(out + "/" + file)));
      REQUIRE(answers.size() == 2);
      mean += std::stod(answers[0]["decimal"].get<std::string>()) / 3;
      density += std::stod(answers[1]["decimal"].get<std::string>()) / 3;
    }
    CHECK(density == doctest::Approx(expected).epsilon(1e-13));
    CHECK(mean == doctest::Approx(formulas[0]["mean"]["decimal"].get<double>()).epsilon(1e-13));
  }
}

TEST_CASE("a training row is encoded without a table") {
  const PriceRun folder;
  // Row 2 is (0.5, 0.5) -> 0.5 in standardised units: size 2, age 0.5, price 4, the table's row 0.
  const std::string common = " --partition last:2 --posterior minmax --out ";
  const fs::path one = folder.path() / "one", two = folder.path() / "two";
  REQUIRE(ciber("encode " + folder.run() + " --row 2" + common + quoted(one.string())).exit == 0);
  REQUIRE(ciber("encode " + folder.run() + " --data " + folder.rows() + " --row 0" + common +
                quoted(two.string()))
              .exit == 0);
  for (const char* file : {"000.smt2", "001.smt2", "002.smt2"}) {
    CHECK(!contents(one / file).empty());
    CHECK(contents(one / file) == contents(two / file));
  }
}

}  // namespace
}  // namespace wmi::frontends
