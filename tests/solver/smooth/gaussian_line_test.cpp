#include "solver/smooth/gaussian_line.h"

#include <doctest/doctest.h>

#include "solver/geometry/polytope.h"
#include "solver/smooth/simplex_quadrature.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0);

SmoothIntegrand line(const Polynomial& factor, const Polynomial& exponent) {
  SmoothIntegrand result;
  result.dimension = 1;
  result.factor = factor;
  result.exponent = exponent;
  return result;
}

TEST_CASE("closed forms agree with quadrature on random intervals") {
  for (int seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Polynomial exponent = ratio(-(seed % 5), 3) * (x * x) + ratio(seed % 7 - 3, 2) * x + 1;
    const Polynomial factor = power(x, seed % 4) + ratio(seed % 3, 2) * x + 1;
    const Rational from = ratio(seed % 11 - 6, 2), to = from + ratio(1 + seed % 6, 2);
    const auto closed = integrate_gaussian(line(factor, exponent), from, to, 12);
    REQUIRE(closed);
    const Ball found = integrate_over_simplices(line(factor, exponent),
                                                Polytope(1, {{{-1}, -from}, {{1}, to}}), 9);
    CHECK(arb_overlaps(*closed, found));
    CHECK(has_digits(*closed, 12));
  }
}

TEST_CASE("far tails have all their digits") {
  // The mean of e^(-x^2/2) beyond 40 is 40 + 1/40 - ...
  const Polynomial exponent = ratio(-1, 2) * (x * x);
  const auto mass = integrate_gaussian(line(1, exponent), Rational(40), std::nullopt, 20);
  const auto first = integrate_gaussian(line(x, exponent), Rational(40), std::nullopt, 20);
  REQUIRE(mass);
  CHECK(has_digits(*mass, 20));
  Ball mean;
  arb_div(mean, *first, *mass, 100);
  CHECK(interval(mean).lower > 40);
  CHECK(interval(mean).upper < 40 + ratio(1, 40));
}

TEST_CASE("where the integrand does not vanish at infinity there is no value") {
  CHECK_FALSE(integrate_gaussian(line(1, x), Rational(0), std::nullopt, 6));
  CHECK(integrate_gaussian(line(1, x), std::nullopt, Rational(0), 6));
  CHECK_FALSE(integrate_gaussian(line(1, x * x), Rational(0), Rational(1), 6));
  CHECK_FALSE(integrate_gaussian(line(1, Polynomial()), Rational(0), std::nullopt, 6));
}

}  // namespace
}  // namespace wmi
