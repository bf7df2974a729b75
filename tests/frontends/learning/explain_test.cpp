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

TEST_CASE("inputs move a prediction by what it changes without them") {
  const PriceRun folder;
  const auto mean = [&](const std::string& input) {
    return objects(ciber("predict " + folder.run() + " --json --input " + input))[0]["mean"]
        .get<double>();
  };
  const Json found = objects(ciber("explain " + folder.run() + " --json --input 3,0.5"))[0];
  REQUIRE(found["inputs"].size() == 2);
  for (const Json& input : found["inputs"]) {
    // On average size is 1 and age is 0.
    const std::string without = input["name"] == "size" ? "1,0.5" : "3,0";
    CHECK(input["mean"].get<double>() == doctest::Approx(mean("3,0.5") - mean(without)));
  }
  CHECK(contains(ciber("explain " + folder.run() + " --input 3,0.5").output,
                 "inputs by how far they move the mean"));
}

TEST_CASE("the entropy of a class is explained, and the inputs that move its probability") {
  const PriceRun folder(true);
  const Json found = objects(ciber("explain " + folder.run() + " --json --input 3,0.5"))[0];
  const Json prediction = objects(ciber("predict " + folder.run() + " --json --input 3,0.5"))[0];
  CHECK(found["class"] == prediction["class"]);
  const double p = found["probability"];
  CHECK(p == prediction["p_" + found["class"].get<std::string>()].get<double>());
  const double within = found["entropy"]["within"], between = found["entropy"]["between"];
  CHECK(within + between == doctest::Approx(-p * std::log(p) - (1 - p) * std::log(1 - p)));
  CHECK(within > 0);
  CHECK(between >= 0);
  CHECK(found["inputs"].size() == 2);
}

TEST_CASE("inputs are listed by their importance for all rows") {
  const PriceRun folder;
  const Finished finished =
      ciber("explain " + folder.run() + " --data " + folder.rows() + " --importance --json");
  const auto found = objects(finished);
  REQUIRE(found.size() == 2);
  CHECK(found[0]["importance"] >= found[1]["importance"]);
  CHECK(ciber("explain " + folder.run() + " --importance").exit == 0);
  const Finished one_bad =
      ciber("explain " + folder.run() + " --importance --data " +
            folder.file("bad.csv", "age,size,price\n0.5,2,4\n-1,0,1.5\n0.5,x,4\n0,0,\n"));
  CHECK(one_bad.exit == 1);
  CHECK(contains(one_bad.output, "the log likelihood of 2 rows"));
  CHECK(contains(one_bad.errors, "bad.csv:4: column 'size': 'x' is no number"));
  CHECK(contains(one_bad.errors, "1 of 4 rows have no 'price' and are left out"));
  // Of an outcome without a density no difference can be taken.
  const Finished far = ciber("explain " + folder.run() + " --importance --data " +
                             folder.file("far.csv", "age,size,price\n0.5,2,4\n0.5,2,1e200\n"));
  CHECK(far.exit == 1);
  CHECK(contains(far.errors, "the outcome 1e+200 has no density"));
  CHECK(ciber("explain " + folder.run() + " --importance --data " +
              folder.file("none.csv", "age,size\n0.5,2\n"))
            .exit == 1);
  CHECK(ciber("explain " + folder.run() + " --importance --row 1").exit == 2);
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
