#include "solver/smooth/tail.h"

#include <doctest/doctest.h>

#include "solver/smooth/gaussian_line.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

SmoothIntegrand integrand(std::size_t dimension, const Polynomial& factor,
                          const Polynomial& exponent) {
  SmoothIntegrand result;
  result.dimension = dimension;
  result.factor = factor;
  result.exponent = exponent;
  return result;
}

TEST_CASE("on a half-line the bound is above the tail, and not far above") {
  const std::vector<Halfspace> positive = {{{-1}, 0}};
  const std::vector<Point> directions = {{1}};
  for (const Polynomial& exponent :
       {Polynomial(ratio(-1, 2) * (x * x)), Polynomial(3 * x - x * x), Polynomial(-2 * x)})
    for (unsigned power = 0; power <= 3; ++power)
      for (const unsigned reach : {1U, 2U, 5U}) {
        const SmoothIntegrand given = integrand(1, wmi::power(x, power), exponent);
        const Tail tail = cut_tail(given, positive, directions, reach);
        const Rational from = tail.cut.bound / tail.cut.normal[0];
        const auto exact = integrate_gaussian(given, from, std::nullopt, 10);
        REQUIRE(exact);
        CHECK_FALSE(arb_lt(tail.most, *exact));  // equal for a linear exponent
        Ball hundred;
        arb_mul_ui(hundred, *exact, 100, 64);
        CHECK(arb_le(tail.most, hundred));
      }
}

TEST_CASE("in the plane the bound is above the tail, which is known for independent coordinates") {
  // e^(-x-y) on the quadrant beyond x + y = R: (1 + R) e^-R.
  const std::vector<Halfspace> quadrant = {{{-1, 0}, 0}, {{0, -1}, 0}};
  const std::vector<Point> directions = {{1, 0}, {0, 1}};
  for (const unsigned reach : {1U, 3U}) {
    const Tail tail = cut_tail(integrand(2, 1, -x - y), quadrant, directions, reach);
    CHECK(tail.cut.normal == Point{1, 1});
    const Rational bound = tail.cut.bound;
    Ball exact = ball(-bound, 64);
    arb_exp(exact, exact, 64);
    arb_mul(exact, exact, ball(Rational(1 + bound), 64), 64);
    CHECK(arb_ge(tail.most, exact));
  }
}

TEST_CASE("what may diverge is refused") {
  const std::vector<Halfspace> positive = {{{-1}, 0}};
  const std::vector<Point> directions = {{1}};
  for (const Polynomial& exponent :
       {Polynomial(), Polynomial(x), Polynomial(x * x), Polynomial(-(x * x * x * x))})
    CHECK_THROWS_WITH_AS(cut_tail(integrand(1, 1, exponent), positive, directions, 1),
                         doctest::Contains("cannot be shown to converge"), Error);
}

}  // namespace
}  // namespace wmi
