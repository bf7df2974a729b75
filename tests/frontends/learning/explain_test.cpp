// ciber explain, run as its users run it.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "tests/frontends/learning/price_run.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

TEST_CASE("the parts of a variance add up") {
  const PriceRun folder;
  for (const char* options : {"", "--posterior moment", "--partition second:3"}) {
    CAPTURE(options);
    const auto found = objects(ciber("explain " + folder.run() + " --data " + folder.rows() +
                                     " --row 1 --json --weights 100 " + options));
    const Json& parts = found[0]["variance"];
    const double total = parts["noise"].get<double>() + parts["within"].get<double>() +
                         parts["between"].get<double>();
    CHECK(std::sqrt(total) == doctest::Approx(found[0]["deviation"].get<double>()));
    double weights = 0, patterns = 0;
    for (const Json& weight : found[0]["weights"]) weights += weight["variance"].get<double>();
    for (const Json& pattern : found[0]["patterns"])
      patterns += pattern["probability"].get<double>();
    if (found[0]["patterns"].empty())
      CHECK(weights == doctest::Approx(parts["within"].get<double>()));
    else
      CHECK(patterns == doctest::Approx(1));
  }
  CHECK(ciber("explain " + folder.run() + " --input 2,0.5").output.starts_with("mean "));
}

TEST_CASE("a training row is explained without a table") {
  const PriceRun folder;
  // Row 2 is (0.5, 0.5) in standardised units: size 2, age 0.5, the table's row 0.
  CHECK(ciber("explain " + folder.run() + " --row 2").output ==
        ciber("explain " + folder.run() + " --data " + folder.rows() + " --row 0").output);
  CHECK(ciber("explain " + folder.run()).errors ==
        "ciber: name the input: --input 1,2,..., or --data FILE.csv --row N, or --row N of the "
        "training rows\n");
  CHECK(ciber("explain " + folder.run() + " --row 4").exit == 2);
}

}  // namespace
}  // namespace wmi::frontends
