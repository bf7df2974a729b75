#include "solver/terms/accumulator.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("the total is the sum of the intervals, however many there are") {
  Accumulator sum;
  CHECK(sum.total() == Interval(Rational(0)));
  Rational expected;
  for (int i = 1; i <= 100; ++i) {
    sum.add(Interval(ratio(1, i)));
    expected += ratio(1, i);
    CHECK(sum.total() == Interval(expected));
  }
  sum.add(Interval(-1, 1));
  CHECK(sum.total() == Interval(Rational(expected - 1), Rational(expected + 1)));
}

}  // namespace
}  // namespace wmi
