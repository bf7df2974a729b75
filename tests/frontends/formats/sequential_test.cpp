#include "frontends/formats/sequential.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

const std::string problem =
    "(& (<= (const real 0.0) (var real x)) (var bool A))\n"
    "(* (var real x) (ite (var bool A) (var real y) (const real 1.0)))\n";

std::string refusal(const std::string& text) {
  return complaint([&] { read_sequential({"test.txt", text}); });
}

}  // namespace

TEST_CASE("a sequential file is a support, a weight, and queries with stored answers") {
  const Source source{"test.txt", problem +
                                      "(<= (const real 0.0) (var real x)),1.0,1.08339691162\r\n"
                                      "\n"
                                      "(var bool A),-0.5, 2e-3\n"};
  const Script script = read_sequential(source);
  CHECK(script == read_smtlib({"test.smt2", R"(
    (declare-const x Real) (declare-const y Real) (declare-const A Bool)
    (assert (and (<= 0 x) A))
    (weight true x)
    (weight A y)
    (get-wmi)
    (get-probability (<= 0 x))
    (get-probability A))"}));
  CHECK(script[0].queries[1].text == "(get-probability (>= x 0))");
  CHECK(script[0].queries[2].where == Location{5, 1});
  const std::vector<StoredAnswer> answers = stored_answers(source);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].probability == 1);
  CHECK(answers[1].probability == ratio(-1, 2));
  CHECK(answers[1].seconds == ratio(1, 500));
}

TEST_CASE("errors in a sequential file have their location") {
  CHECK(refusal("(var bool A)\n") ==
        "1:1: expected a support, a weight and then queries, each on a line of its own");
  CHECK(refusal("(var bool A)\n(var bool A)\n") == "2:1: expected a real term, not a formula");
  CHECK(refusal(problem + "(var bool A)\n") == "3:1: expected QUERY,probability,seconds");
  CHECK(refusal(problem + "(var bool A),1.0\n") == "3:1: expected QUERY,probability,seconds");
  CHECK(refusal(problem + "(var bool A),nan,1\n") == "3:14: 'nan' is not a number");
  CHECK(refusal(problem + "(var bool A),1,\n") == "3:16: '' is not a number");
  CHECK(refusal(problem + "(var bool A) (var bool A),1,1\n") ==
        "3:14: expected nothing after the term");
  CHECK(refusal(problem + "(~ (var bool B)),1,1\n") ==
        "3:14: 'B' occurs neither in the support nor in the weight");
}
