#include "solver/terms/interval.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("an interval of one point is exact") {
  CHECK(Interval(ratio(1, 3)).exact());
  CHECK(Interval(ratio(1, 3)).midpoint() == ratio(1, 3));
  CHECK_FALSE(Interval(1, 2).exact());
  CHECK(Interval(1, 2).midpoint() == ratio(3, 2));
}

TEST_CASE("an interval contains its ends and nothing beyond") {
  const Interval interval(-1, 2);
  CHECK(interval.contains(-1));
  CHECK(interval.contains(2));
  CHECK_FALSE(interval.contains(ratio(-11, 10)));
  CHECK_FALSE(interval.contains(ratio(21, 10)));
}

TEST_CASE("the width of a sum or difference is the sum of the widths") {
  CHECK(Interval(1, 2) + Interval(10, 20) == Interval(11, 22));
  CHECK(Interval(1, 2) - Interval(10, 20) == Interval(-19, -8));
  CHECK(Interval(1) + Interval(10, 20) == Interval(11, 21));
  CHECK(Interval(10, 20) + Interval(1) == Interval(11, 21));
  CHECK(Interval(ratio(1, 2)) + Interval(ratio(1, 3)) == Interval(ratio(5, 6)));
}

TEST_CASE("the ends of a product are the extreme products of ends") {
  CHECK(Interval(2, 3) * Interval(5, 7) == Interval(10, 21));
  CHECK(Interval(-2, 3) * Interval(5, 7) == Interval(-14, 21));
  CHECK(Interval(-2, 3) * Interval(-5, 7) == Interval(-15, 21));
  CHECK(Interval(-3, -2) * Interval(-7, -5) == Interval(10, 21));
  CHECK(Interval(-3, -2) * Interval(0, 1) == Interval(-3, 0));
  CHECK(Interval(ratio(1, 2)) * Interval(6) == Interval(3));
}

TEST_CASE("a quotient by an interval on one side of 0 is an interval") {
  CHECK(Interval(1, 2) / Interval(2, 4) == Interval(ratio(1, 4), 1));
  CHECK(Interval(-1, 2) / Interval(2, 4) == Interval(ratio(-1, 2), 1));
  CHECK(Interval(1, 2) / Interval(-4, -2) == Interval(-1, ratio(-1, 4)));
}

TEST_CASE("an even power is never negative") {
  CHECK(power(Interval(-2, 3), 2) == Interval(0, 9));
  CHECK(power(Interval(-3, 2), 2) == Interval(0, 9));
  CHECK(power(Interval(-3, -2), 2) == Interval(4, 9));
  CHECK(power(Interval(2, 3), 4) == Interval(16, 81));
}

TEST_CASE("an odd power keeps the order of the ends") {
  CHECK(power(Interval(-2, 3), 3) == Interval(-8, 27));
  CHECK(power(Interval(-3, -2), 1) == Interval(-3, -2));
}

TEST_CASE("the power 0 is 1, also of an interval around 0") {
  CHECK(power(Interval(-2, 3), 0) == Interval(1));
  CHECK(power(Interval(0), 0) == Interval(1));
}

TEST_CASE("a hull contains both intervals, and the gap between them") {
  CHECK(hull(Interval(0, 1), Interval(3, 4)) == Interval(0, 4));
  CHECK(hull(Interval(0, 4), Interval(1, 2)) == Interval(0, 4));
}

}  // namespace
}  // namespace wmi
