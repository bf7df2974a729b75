#include "frontends/ciber/verify/input_box.h"

#include <doctest/doctest.h>

#include "tests/frontends/ciber/verify/small_problems.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

std::vector<Interval> box(const std::string& asserts) { return input_box(property(2, 1, asserts)); }

TEST_CASE("bounds of single inputs give the box, the tightest ones") {
  CHECK(box("(assert (<= X_0 2))(assert (>= (* 2 X_0) 1))(assert (< X_0 1.5))(assert (= X_1 3))") ==
        std::vector<Interval>{{ratio(1, 2), ratio(3, 2)}, {3, 3}});
}

TEST_CASE("a disjunction has the box around its disjuncts, without those that are empty") {
  CHECK(box("(assert (<= 0 X_1 1))(assert (or (<= 0 X_0 1) (and (<= 4 X_0 5) (>= Y_0 1))"
            " (<= 9 X_0 8) (and (<= 100 X_0 101) (<= 2 1))))") ==
        std::vector<Interval>{{0, 5}, {0, 1}});
}

TEST_CASE("what is said of outputs or of several inputs bounds nothing") {
  const std::string text = "(assert (<= 0 X_1 1))(assert (>= X_0 0))(assert (<= (+ X_0 X_1) 1))";
  CHECK(complaint([&] { box(text); }) ==
        "input X_0 has no upper bound; assert one, as in (assert (<= X_0 1))");
  CHECK(complaint([&] { box("(assert (<= X_0 1))"); }) ==
        "input X_0 has no lower bound; assert one, as in (assert (>= X_0 1))");
  CHECK(complaint([&] { box("(assert (<= 0 X_0 1))(assert (or (<= 0 X_1 1) (<= 0 Y_0 1)))"); }) ==
        "input X_1 has no lower bound; assert one, as in (assert (>= X_1 1))");
}

TEST_CASE("an empty region is named") {
  CHECK(complaint([&] { box("(assert (<= 0 X_1 1))(assert (<= 2 X_0 1))"); }) ==
        "the input region is empty: X_0 is at least 2 and at most 1");
  CHECK(complaint([&] { box("(assert (<= 2 1))"); }) ==
        "the input region is empty: an assert has no solution");
}

}  // namespace
}  // namespace wmi::frontends
