#include "frontends/ciber/verify/verify_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

const VerificationProblem problem = make_verification_problem(
    linear_network(1, 1, {1}, {0}),
    property(1, 1, unit_box(1) + "(assert (or (>= Y_0 0.75) (<= Y_0 0.125)))"), {});

Verification violated() {
  Verification found;
  found.probability.value = ratio(3, 8);
  found.probability.assumptions = {"inputs: uniform on the input region"};
  found.probability.cells = 2;
  found.regions.resize(2);
  found.regions[0].value = ratio(1, 4);
  found.regions[1].value = Interval(ratio(1, 10), ratio(1, 8));
  found.witness = Witness{{ratio(9, 10)}, {}, {ratio(9, 10)}};
  return found;
}

TEST_CASE("a violated property has its probability, its regions and a witness") {
  CHECK(report(problem, violated(), {}, {}) ==
        "violated: probability 3/8 = 0.375\n"
        "unsafe region 1 (Y_0 >= 0.75): probability 1/4 = 0.25\n"
        "unsafe region 2 (Y_0 <= 0.125): probability [0.1, 0.125]\n"
        "witness: X = (0.9), Y = (0.9)\n");
  Verification without = violated();
  without.witness.reset();
  without.no_witness = "none was found";
  CHECK(report(problem, without, {}, {}).ends_with("no witness: none was found\n"));
}

TEST_CASE("a property that holds says whether points remain possible") {
  Verification found;
  found.probability = zero_probability({});
  CHECK(report(problem, found, {}, {}) ==
        "holds: probability 0 = 0; counterexamples of measure 0 are not excluded\n");
  found.no_counterexample = true;
  CHECK(report(problem, found, {}, {}) ==
        "holds: probability 0 = 0; no input of the region violates it\n");
}

TEST_CASE("work that was stopped prints its bounds") {
  Verification found;
  found.probability.complete = false;
  found.probability.lower = Rational(0);
  found.probability.upper = ratio(1, 3);
  CHECK(report(problem, found, {.decimals = 3}, {{}, "--timeout", {}}) ==
        "unknown: probability at least 0, at most 0.334 (stopped by --timeout)\n");
}

TEST_CASE("the JSON is one object with the fields of other answers") {
  const auto json =
      nlohmann::json::parse(report(problem, violated(), {.json = true}, {{}, {}, Measurements{}}));
  CHECK(json["verdict"] == "violated");
  CHECK(json["probability"]["exact"] == "3/8");
  CHECK(json["probability"]["lower"] == "0.375");
  CHECK(json["regions"][1]["region"] == "Y_0 <= 0.125");
  CHECK(json["regions"][1]["probability"]["exact"].is_null());
  CHECK(json["witness"]["inputs"][0] == "9/10");
  CHECK(json["witness"]["outputs"][0] == "0.9");
  CHECK(json["exactWithRespectTo"][0] == "inputs: uniform on the input region");
  CHECK(json["cells"] == 2);
  CHECK(json.contains("seconds"));
}

TEST_CASE("the competition's format has a witness, a proof that there is none, or neither") {
  CHECK(competition_report(violated(), false) == "sat\n((X_0 0.9)\n (Y_0 0.9))\n");
  Verification none;
  CHECK(competition_report(none, false) == "unknown\n");
  CHECK(competition_report(none, true) == "timeout\n");
  none.no_counterexample = true;
  CHECK(competition_report(none, false) == "unsat\n");
}

}  // namespace
}  // namespace wmi::frontends
