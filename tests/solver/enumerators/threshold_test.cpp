#include "solver/enumerators/threshold.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

LinearForm form(const Polynomial& polynomial) { return LinearForm(polynomial); }

/// The triangle x >= 0, y >= 0, x + y <= 1, one block, of volume 1/2 in a box of volume 1.
ProductRegion triangle() {
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  return ProductRegion(2).above(form(x)).above(form(y)).below(form(x + y - 1));
}

TEST_CASE("a region is small if its bounding box is, or else its volume") {
  int asked = 0;
  const auto volume = [&] {
    ++asked;
    return ratio(1, 2);
  };
  CHECK(Threshold{}.covers(1000, triangle(), volume));
  CHECK(Threshold{Rational(3)}.covers(3, triangle(), volume));
  CHECK(asked == 0);
  CHECK(Threshold{Rational(2)}.covers(3, triangle(), volume));
  CHECK(!Threshold{Rational(1)}.covers(3, triangle(), volume));
  CHECK(asked == 2);
}

TEST_CASE("the volume of a box is not computed") {
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  const ProductRegion square =
      ProductRegion(2).above(form(x)).above(form(y)).below(form(x - 1)).below(form(y - 1));
  const auto volume = []() -> Rational { throw 0; };
  CHECK(Threshold{Rational(3)}.covers(3, square, volume));
  CHECK(!Threshold{Rational(2)}.covers(3, square, volume));
}

TEST_CASE("thresholds fall, faster after a search with few more cells, and end with none") {
  Narrowing narrowing;
  REQUIRE(narrowing.threshold());
  CHECK(!narrowing.threshold()->least);
  narrowing.lower(10, 32);
  CHECK(narrowing.threshold()->least == Rational(2));
  narrowing.lower(16, 1);  // more than half as many again: by 16 once more
  CHECK(narrowing.threshold()->least == ratio(1, 8));
  narrowing.lower(24, 1);  // no more than that: by 256
  CHECK(narrowing.threshold()->least == ratio(1, 2048));
  for (int shift = 16; shift <= 64; shift *= 2) {
    narrowing.lower(24, 1);
    REQUIRE(narrowing.threshold());
  }
  narrowing.lower(24, 1);
  CHECK(!narrowing.threshold());
}

}  // namespace
}  // namespace wmi
