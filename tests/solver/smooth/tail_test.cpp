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

TEST_CASE("a narrow density in a strip has a tail of its own width, wherever its mean is") {
  // e^(-(y - m)^2 / (2 s^2)), 0 <= x <= 1, s = 1/1000: beyond the cut, a normal law and a length of 1.
  const std::vector<Point> up = {{0, 1}};
  for (const long mean : {0L, 10'000L, -10'000L}) {
    CAPTURE(mean);
    const Polynomial centred = y - Polynomial(mean);
    const SmoothIntegrand given = integrand(2, 1, Rational(-500'000) * (centred * centred));
    const std::vector<Halfspace> strip = {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 20'000}};
    const Tail tail = cut_tail(given, strip, up, 8);
    REQUIRE(tail.cut.normal[0] == 0);
    const Rational from = tail.cut.bound / tail.cut.normal[1];
    CHECK(from > mean);
    CHECK(from < mean + 1);
    const auto exact = integrate_gaussian(
        integrand(1, 1, Rational(-500'000) * ((x - Polynomial(mean)) * (x - Polynomial(mean)))),
        from, std::nullopt, 10);
    REQUIRE(exact);
    CHECK(arb_ge(tail.most, *exact));
    Ball million;
    arb_mul_ui(million, *exact, 1'000'000, 64);
    CHECK(arb_le(tail.most, million));
  }
}

TEST_CASE("sigmoids decrease like exponentials where nothing else does") {
  // sigmoid(-2x) is at most e^(-2x) and at least half of that for x > 0.
  SmoothIntegrand given = integrand(1, 1, Polynomial());
  given.functions = {{1, Function::sigmoid, -2 * x}};
  given.powers = {{1, 1}};
  const std::vector<Halfspace> positive = {{{-1}, 0}};
  const std::vector<Point> directions = {{1}};
  const Tail tail = cut_tail(given, positive, directions, 3);
  const auto most = integrate_gaussian(integrand(1, 1, -2 * x), tail.cut.bound / tail.cut.normal[0],
                                       std::nullopt, 10);
  REQUIRE(most);
  Ball least, hundred;
  arb_mul_2exp_si(least, *most, -1);
  CHECK(arb_ge(tail.most, least));
  arb_mul_ui(hundred, *most, 100, 64);
  CHECK(arb_le(tail.most, hundred));
  given.functions[0].argument = 2 * x;
  CHECK_THROWS_AS(cut_tail(given, positive, directions, 3), Error);
}

TEST_CASE("functions of functions are bounded, or refused") {
  const std::vector<Halfspace> positive = {{{-1}, 0}};
  const std::vector<Point> directions = {{1}};
  SmoothIntegrand given = integrand(1, 1, -(x * x));
  const Polynomial f = Polynomial::variable(1);
  given.powers = {{2, 1}};
  given.functions = {{1, Function::sigmoid, x}, {2, Function::sqrt, 1 + f}};
  const Tail bounded = cut_tail(given, positive, directions, 3);
  const auto most = integrate_gaussian(integrand(1, 1, -(x * x)),
                                       bounded.cut.bound / bounded.cut.normal[0], std::nullopt, 10);
  REQUIRE(most);
  CHECK(arb_ge(bounded.most, *most));
  given.functions[0].function = Function::exp;
  CHECK_THROWS_AS(cut_tail(given, positive, directions, 3), Error);
  given.functions = {{1, Function::tanh, x}};
  given.powers = {};
  given.exponent = 2 * f - x * x;  // at most 2 - x^2
  CHECK_NOTHROW(cut_tail(given, positive, directions, 3));
  given.exponent = f * x - x * x;
  CHECK_THROWS_AS(cut_tail(given, positive, directions, 3), Error);
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
