#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

std::string refusal(const std::string& domain) {
  return complaint([&] {
    read_pywmi({"test.json",
                R"({"domain": )" + domain +
                    R"json(, "formula": "(const bool True)", "weights": "(const real 1.0)"})json"});
  });
}

}  // namespace

TEST_CASE("a pywmi file is the same problem as its SMT-LIB form") {
  const Script script = read_pywmi({"test.json", R"json({
    "domain": {"variables": ["a","x"], "var_types": {"a":"bool","x":"real"},
               "var_domains": {"x":[0,1]}},
    "formula": "(| (var bool a) (< (var real x) (const real 0.25)))",
    "weights": "(+ (var real x) (const real 1))",
    "queries": ["(var bool a)"]})json"});
  CHECK(script == read_smtlib({"test.smt2", R"(
    (declare-const x Real) (declare-const a Bool)
    (assert (and (<= 0 x) (<= x 1)))
    (assert (or a (< x 0.25)))
    (weight true (+ 1 x))
    (get-wmi)
    (get-probability a))"}));
}

TEST_CASE("errors in a pywmi domain have their location") {
  CHECK(complaint([] {
          read_pywmi({"test.json", "[]"});
        }) == "1:1: a pywmi file must be an object, not a list");
  CHECK(refusal("[]") == "1:12: 'domain' must be an object, not a list");
  CHECK(refusal("{}") == "1:12: 'var_types' is missing");
  CHECK(refusal(R"({"var_types": {}})") == "1:12: 'variables' is missing");
  CHECK(refusal(R"({"var_types": {}, "variables": ["x"]})") ==
        "1:44: 'x' has no type in 'var_types'");
  CHECK(refusal(R"({"var_types": {"x": "real"}, "variables": []})") ==
        "1:27: 'x' has a type but is missing from 'variables'");
  CHECK(refusal(R"({"var_types": {}, "variables": [], "var_domains": {"x": [0, 1]}})") ==
        "1:63: 'x' is not declared");
  CHECK(refusal(R"({"var_types": {}, "variables": [1]})") ==
        "1:44: the name of a variable must be a string, not a number");
  CHECK(refusal(R"({"var_types": {}, "variables": [], "var_domains": null})") == "no complaint");
}

TEST_CASE("a domain of many variables is read") {
  std::string names, types;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "\"x" + std::to_string(i) + "\"";
    names += (i == 0 ? "" : ", ") + name;
    types += (i == 0 ? "" : ", ") + name + ": \"real\"";
  }
  const Script found = read_pywmi(
      {"-", "{\"domain\": {\"variables\": [" + names + "], \"var_types\": {" + types +
                "}}, \"formula\": \"(const bool True)\", \"weights\": \"(const real 1)\"}"});
  CHECK(found[0].problem.integrated.size() == 20'000);
}
