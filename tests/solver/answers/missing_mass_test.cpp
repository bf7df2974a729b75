#include "solver/answers/missing_mass.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("missing regions add up, and the range of the term is that over all of them") {
  MissingMass missing;
  CHECK_FALSE(missing.any);
  missing.add(Rational(2), Interval(1, 3));
  missing.add(Rational(1), Interval(-1, 0));
  CHECK(missing.any);
  CHECK(missing.weight == Rational(3));
  CHECK(missing.range == Interval(-1, 3));
  CHECK(missing.value == Interval(-1, 6));  // 2 [0, 3] + 1 [-1, 0]
}

TEST_CASE("one region without a bound makes the sum unbounded") {
  MissingMass weight, term;
  weight.add(std::nullopt, Interval(1, 3));
  weight.add(Rational(1), Interval(1, 3));
  CHECK_FALSE(weight.weight);
  CHECK_FALSE(weight.value);
  CHECK(weight.range == Interval(1, 3));
  term.add(Rational(1), std::nullopt);
  CHECK(term.weight == Rational(1));
  CHECK_FALSE(term.value);
  CHECK_FALSE(term.range);
}

TEST_CASE("the regions of two threads are those of both") {
  MissingMass both, first, second, none;
  first.add(Rational(2), Interval(1, 3));
  second.add(Rational(1), Interval(-1, 0));
  both.add(none);
  CHECK_FALSE(both.any);
  both.add(first);
  both.add(none);
  both.add(second);
  CHECK(both.weight == Rational(3));
  CHECK(both.value == Interval(-1, 6));
  CHECK(both.range == Interval(-1, 3));
}

}  // namespace
}  // namespace wmi
