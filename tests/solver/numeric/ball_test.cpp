#include "solver/numeric/ball.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("a ball contains the number or the interval that it is made of") {
  CHECK(interval(ball(ratio(3, 8), 20)) == Interval(ratio(3, 8)));  // a dyadic number is exact
  const Interval third = interval(ball(ratio(1, 3), 20));
  CHECK(third.contains(ratio(1, 3)));
  CHECK(!third.exact());
  CHECK(third.upper - third.lower < ratio(1, 100'000));
  const Interval wide = interval(ball(Interval{ratio(-1, 3), 2}, 20));
  CHECK(wide.lower <= ratio(-1, 3));
  CHECK(wide.upper >= 2);
}

TEST_CASE("ends that are too small to write out are rounded outwards") {
  Ball tiny;
  arb_set_si(tiny, 1);
  arb_mul_2exp_si(tiny, tiny, -200'000);
  const Interval found = interval(tiny);
  CHECK(found.lower == 0);
  CHECK(found.upper > 0);
  CHECK(found.upper * power(Rational(2), 100'000) == 1);
}

TEST_CASE("values that are too large or not finite are refused") {
  Ball huge;
  arb_set_si(huge, 1);
  arb_mul_2exp_si(huge, huge, 200'000);
  CHECK_THROWS_AS(interval(huge), GaveUp);
  Ball infinite;
  arb_pos_inf(infinite);
  CHECK_THROWS_AS(interval(infinite), GaveUp);
  CHECK(!has_digits(infinite, 1));
}

TEST_CASE("a value is computed with more bits until it has the digits") {
  slong most = 0;
  // (1 + 10^-40) - 1 loses 40 digits.
  const Ball found = refined(20, [&](slong bits) {
    most = bits;
    const Ball small = ball(power(ratio(1, 10), 40), bits);
    Ball sum;
    arb_add_ui(sum, small, 1, bits);
    arb_sub_ui(sum, sum, 1, bits);
    return sum;
  });
  CHECK(has_digits(found, 20));
  CHECK(interval(found).contains(power(ratio(1, 10), 40)));
  CHECK(most > bits_of(20));
  CHECK_THROWS_AS(refined(20, [](slong) { return ball(Interval{-1, 1}, 10); }), GaveUp);
}

}  // namespace
}  // namespace wmi
