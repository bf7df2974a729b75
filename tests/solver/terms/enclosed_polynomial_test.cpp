#include "solver/terms/enclosed_polynomial.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("numbers are rounded outwards to neighbouring doubles") {
  CHECK(round_outwards(ratio(-3, 8)) == DoubleInterval{-0.375, -0.375});
  CHECK(round_outwards(0) == DoubleInterval{0, 0});
  for (const Rational& value :
       {ratio(1, 3), ratio(-1, 3), Rational(1 / power(Rational(10), 310)),
        Rational(-1 / power(Rational(10), 400)), Rational(power(Rational(10), 300) / 7)}) {
    const DoubleInterval found = round_outwards(value);
    CHECK(Rational(found.lower) < value);
    CHECK(value < Rational(found.upper));
    CHECK(std::nextafter(found.lower, found.upper) == found.upper);
  }
  constexpr double largest = std::numeric_limits<double>::max();
  CHECK(round_outwards(Rational(largest)) == DoubleInterval{largest, largest});
  CHECK(round_outwards(Rational(largest) + ratio(1, 2)) == DoubleInterval{largest, HUGE_VAL});
  CHECK(round_outwards(-power(Rational(10), 400)) == DoubleInterval{-HUGE_VAL, -largest});
}

TEST_CASE("a polynomial is enclosed term by term") {
  const EnclosedPolynomial found(ratio(1, 3) * x * y - 2);
  REQUIRE(found.terms().size() == 2);
  CHECK(found.terms()[0].monomial.empty());
  CHECK(found.terms()[0].lower == -2);
  CHECK(found.terms()[0].upper == -2);
  CHECK(degree(found.terms()[1].monomial) == 2);
  CHECK(found.terms()[1].lower < found.terms()[1].upper);
  CHECK_FALSE(found.constant());
  CHECK(EnclosedPolynomial(Polynomial(7)).constant());
  CHECK(EnclosedPolynomial(Polynomial()).constant());
}

}  // namespace
}  // namespace wmi::tests
