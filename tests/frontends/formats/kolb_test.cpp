#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

std::string refusal(const std::string& text) {
  return complaint([&] { read_kolb({"test.txt", text}); });
}

}  // namespace

TEST_CASE("a Kolb file is a support and weights, with variables in order of occurrence") {
  const Script script =
      read_kolb({"test.txt",
                 "(* (& (| (var bool b) (<= (var real x) (const real 2.0))) (< (const real 0.0) "
                 "(var real x)))"
                 " (ite (var bool b) (* (const real 2.5) (var real y)) (const real 1.0))"
                 " (const real 3.0))\n"});
  CHECK(script == read_smtlib({"test.smt2", R"(
    (declare-const x Real) (declare-const y Real) (declare-const b Bool)
    (assert (and (or b (<= x 2)) (< 0 x)))
    (weight b (* 2.5 y))
    (weight true 3)
    (get-wmi))"}));
}

TEST_CASE("errors in a Kolb file have their location") {
  CHECK(refusal("(& (var bool A))") == "1:1: expected (* SUPPORT WEIGHT ...)");
  CHECK(refusal("(*)") == "1:1: expected (* SUPPORT WEIGHT ...)");
  CHECK(refusal("x") == "1:1: expected (* SUPPORT WEIGHT ...)");
  CHECK(refusal("(* (const real 1.0))") == "1:4: expected a formula, not a real term");
  CHECK(refusal("(* (const bool True) (const bool True))") ==
        "1:22: expected a real term, not a formula");
  CHECK(refusal("(* (var bool a) (var real a))") == "1:27: 'a' is declared bool, not real");
  CHECK(refusal("(* (var bool a))\n(* (var bool a))") == "2:1: expected nothing after the term");
}
