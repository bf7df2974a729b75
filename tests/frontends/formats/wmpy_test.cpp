#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

std::string refusal(const std::string& text) {
  return complaint([&] { read_wmpy({"test.json", text}); });
}

std::string with_domain(const std::string& domain) {
  return R"({"domain": )" + domain +
         R"json(, "formula": "(const bool True)", "weights": "(const real 1.0)"})json";
}

/// An empty domain and what follows it, on the first line.
std::string with_rest(const std::string& rest) { return R"({"domain": [], )" + rest + "}"; }

const std::string formula = R"json("formula": "(const bool True)")json";

}  // namespace

TEST_CASE("a wmpy file is the same problem as its SMT-LIB form, with bounds as assertions") {
  const Script script = read_wmpy({"test.json", R"json({
    "domain": [["x","real",[0,1]], ["y","real",[0,null]], ["z","real",null], ["A","bool",null]],
    "formula": "(& (var bool A) (<= (var real z) (var real x)))",
    "weights": "(ite (var bool A) (* (const real 2.0) (^ (var real x) (const real 2.0))) (const real 1.0))",
    "queries": ["(<= (var real x) (const real 0.5))", "(var bool A)"]})json"});
  CHECK(script == read_smtlib({"test.smt2", R"(
    (declare-const x Real) (declare-const y Real) (declare-const z Real) (declare-const A Bool)
    (assert (and (<= 0 x) (<= x 1)))
    (assert (<= 0 y))
    (assert (and A (<= z x)))
    (weight A (* 2 x x))
    (get-wmi)
    (get-probability (<= x 0.5))
    (get-probability A))"}));
  CHECK(script[0].queries[0].text == "(get-wmi)");
  CHECK(script[0].queries[1].text == "(get-probability (<= x (/ 1 2)))");
  CHECK(script[0].queries[1].where == Location{5, 17});
}

TEST_CASE("a wmpy file may have no queries, and an unused Boolean still counts") {
  const Script script = read_wmpy({"test.json", with_domain(R"([["A","bool"]])")});
  CHECK(script[0].queries.size() == 1);
  CHECK(script[0].problem.terms.boolean_count() == 1);
  CHECK(script[0].problem.weights.empty());
}

TEST_CASE("decimals of a wmpy domain stay exact") {
  const Script script = read_wmpy({"test.json", with_domain(R"([["x","real",[0.1,1e-30]]])")});
  CHECK(script == read_smtlib({"",
                               "(declare-const x Real)"
                               "(assert (and (<= 0.1 x) (<= x 1e-30))) (assert true)"}));
}

TEST_CASE("errors in a wmpy file have their location") {
  CHECK(refusal("[]") == "1:1: a wmpy file must be an object, not a list");
  CHECK(refusal("{}") == "1:1: 'domain' is missing");
  CHECK(refusal(R"({"domain": []})") == "1:1: 'formula' is missing");
  CHECK(refusal(with_rest(formula)) == "1:1: 'weights' is missing");
  CHECK(refusal(with_domain("3")) == "1:12: 'domain' must be a list, not a number");
  CHECK(refusal(with_domain(R"(["x"])")) ==
        "1:13: a variable of the domain must be a list, not a string");
  CHECK(refusal(with_domain(R"([["x"]])")) ==
        "1:13: a variable of the domain must be [name, type, bounds]");
  CHECK(refusal(with_domain(R"([[1, "real"]])")) ==
        "1:14: the name of a variable must be a string, not a number");
  CHECK(refusal(with_domain(R"([["x", "int"]])")) ==
        "1:19: type 'int' is not supported; use real or bool");
  CHECK(refusal(with_domain(R"([["x", 1]])")) ==
        "1:19: the type of 'x' must be a string, not a number");
  CHECK(refusal(with_domain(R"([["x", "real"], ["x", "bool"]])")) == "1:29: 'x' is declared twice");
  CHECK(refusal(with_domain(R"([["x", "real", 1]])")) ==
        "1:27: the bounds of 'x' must be a list, not a number");
  CHECK(refusal(with_domain(R"([["x", "real", [1]]])")) ==
        "1:27: the bounds of 'x' must be [lower, upper]");
  CHECK(refusal(with_domain(R"([["x", "real", ["a", 1]]])")) ==
        "1:28: the lower bound of 'x' must be a number, not a string");
  CHECK(refusal(with_domain(R"([["x", "real", [1, true]]])")) ==
        "1:31: the upper bound of 'x' must be a number, not true or false");
  CHECK(refusal(with_domain(R"([["x", "real", [1, 1e99999]]])")) ==
        "1:31: the exponent of '1e99999' is beyond 10000");
  CHECK(refusal(with_domain(R"([["A", "bool", [0, 1]]])")) == "1:27: 'A' is bool, not real");
}

TEST_CASE("errors inside a term of a JSON file have the location of the subterm") {
  CHECK(refusal(with_rest(R"("formula": 1)")) == "1:27: 'formula' must be a string, not a number");
  CHECK(refusal(with_rest("\n \"formula\": \"(& (var bool A))\"")) == "2:27: 'A' is not declared");
  // A string with an escape: the location is that of the string.
  CHECK(refusal(with_rest("\n \"formula\": \"(&\\n (var bool A))\"")) ==
        "2:13: 'A' is not declared");
  CHECK(refusal(with_rest("\n \"formula\": \"(&\\n (var bool A)\"")) ==
        "2:13: this '(' is never closed");
  CHECK(refusal(with_rest(formula + ",\n\"weights\": \"(const bool True)\"")) ==
        "2:13: expected a real term, not a formula");
  CHECK(refusal(with_rest(formula + ", \"weights\": \"(const real 1)\",\n\"queries\": {}")) ==
        "2:12: 'queries' must be a list, not an object");
  CHECK(refusal(with_rest(formula + ", \"weights\": \"(const real 1)\",\n\"queries\": [1]")) ==
        "2:13: a query must be a string, not a number");
}
