#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Source road(const std::string& queries) {
  const std::string problem =
      R"json({"domain": [{"type": "real", "name": "x"}, {"type": "real", "name": "t"},
 {"type": "bool", "name": "A"}], "support": "(<= (const real 0.0) (var real x))",
 "weight": "(* (var real x) (ite (var bool A) (const real 2.0) (const real 1.0)))",
 "queries": )json";
  return {"road.txt", problem + queries + "}"};
}

/// A query for x <= 1.
std::string query(const std::string& evidence) {
  return R"json({"formula": "(<= (var real x) (const real 1.0))", "evidence": )json" + evidence +
         "}";
}

std::string refusal(const std::string& queries) {
  return complaint([&] { read_road(road(queries)); });
}

}  // namespace

TEST_CASE("evidence on a real is an observation, and its query a separate task") {
  const Script script = read_road(road("[" + query("null") + ", " + query(R"({"t": 45.0})") + ", " +
                                       query(R"({"A": false})") + "]"));
  const std::string problem =
      "(declare-const x Real) (declare-const t Real) (declare-const A Bool)"
      "(assert (<= 0 x)) (weight true x) (weight A 2)";
  CHECK(script ==
        read_smtlib({"", "(push 1)" + problem + "(get-wmi) (get-probability (<= x 1)) (pop 1)" +
                             "(push 1)" + problem +
                             "(observe t 45) (get-probability (<= x 1)) (pop 1)" + problem +
                             "(get-probability (<= x 1) :given (not A))"}));
  CHECK(script[1].queries[0].text == "(get-probability (<= x 1))");
  CHECK(script[2].queries[0].text == "(get-probability (<= x 1) :given (not A))");
}

TEST_CASE("queries with the same evidence share a task") {
  const Script script = read_road(road("[" + query(R"({"t": 1, "x": 2})") + ", " +
                                       query(R"({"x": 2.0, "t": 1.0, "A": true})") + "]"));
  REQUIRE(script.size() == 2);
  CHECK(script[1].problem.observations ==
        std::vector<Observation>{{0, Rational(2)}, {1, Rational(1)}});
  CHECK(script[1].queries.size() == 2);
}

TEST_CASE("a road file without queries asks for its integral") {
  CHECK(read_road(road("[]"))[0].queries.size() == 1);
  CHECK(read_road(road("null"))[0].queries.size() == 1);
}

TEST_CASE("errors in a road file have their location") {
  CHECK(refusal("1") == "4:13: 'queries' must be a list, not a number");
  CHECK(refusal("[1]") == "4:14: a query must be an object, not a number");
  CHECK(refusal("[{}]") == "4:14: 'formula' is missing");
  CHECK(refusal("[\n" + query("1") + "]") == "5:63: 'evidence' must be an object, not a number");
  CHECK(refusal("[\n" + query(R"({"u": 1})") + "]") == "5:64: 'u' is not declared");
  CHECK(refusal("[\n" + query(R"({"t": true})") + "]") ==
        "5:69: the evidence on 't' must be a number, not true or false");
  CHECK(refusal("[\n" + query(R"({"A": 1})") + "]") ==
        "5:69: the evidence on 'A' must be true or false, not a number");
  const auto whole = [](const std::string& text) {
    return complaint([&] { read_road({"road.txt", text}); });
  };
  CHECK(whole("[]") == "1:1: a road file must be an object, not a list");
  CHECK(whole(R"({"domain": [1]})") ==
        "1:13: a variable of the domain must be an object, not a number");
  CHECK(whole(R"({"domain": [{"name": "x"}]})") == "1:13: 'type' is missing");
  CHECK(whole(R"({"domain": []})") == "1:1: 'support' is missing");
  CHECK(whole(R"json({"domain": [], "support": "(const bool True)"})json") ==
        "1:1: 'weight' is missing");
}
