#include "solver/smooth/normal_cones.h"

#include <doctest/doctest.h>

#include <random>

#include "solver/numeric/reals.h"
#include "solver/smooth/simplex_quadrature.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1),
                 z = Polynomial::variable(2);

std::optional<Ball> mass(const Polynomial& exponent, std::size_t dimension,
                         const std::vector<Halfspace>& sides, unsigned digits = 12) {
  return integrate_normal_cones(*normal_law(exponent, dimension), {dimension, sides}, digits);
}

TEST_CASE("the parts of the space that hyperplanes cut add up to all of it") {
  // Eight cones of three planes, and what a fourth one cuts off each.
  const Polynomial u = y - ratio(1, 3) * x, v = z + ratio(1, 2) * y - 1;
  const Polynomial exponent = ratio(-1, 2) * (x * x + 2 * u * u + ratio(1, 2) * (v * v));
  const Reals r{128};
  Ball sum;
  for (unsigned side = 0; side < 16; ++side) {
    std::vector<Halfspace> sides = {
        {{1, 1, 0}, 1}, {{0, 1, -2}, 0}, {{-1, 1, 1}, ratio(1, 2)}, {{2, -1, 3}, 4}};
    for (unsigned i = 0; i < 4; ++i)
      if (side >> i & 1U) {
        for (Rational& entry : sides[i].normal) entry = -entry;
        sides[i].bound = -sides[i].bound;
      }
    const ConvexRegion region(3, sides);
    if (region.flat()) continue;
    if (region.polytope) {  // one simplex, which is narrow
      CHECK_FALSE(mass(exponent, 3, sides, 6));
      SmoothIntegrand integrand;
      integrand.dimension = 3;
      integrand.factor = 1;
      integrand.exponent = exponent;
      sum = r.sum(sum, integrate_over_simplices(integrand, *region.polytope, 6));
      continue;
    }
    const auto part = mass(exponent, 3, sides, 6);
    REQUIRE(part);
    CHECK(arb_is_positive(*part));
    sum = r.sum(sum, *part);
  }
  // (2 pi)^(3/2), deviations 1, 1/sqrt 2 and sqrt 2.
  const Ball root = r.root(r.product(r(2), r.pi()));
  const Ball whole = r.product(root, r.square(root));
  CHECK(interval(r.difference(sum, whole)).upper < ratio(1, 100'000));
  CHECK(interval(r.difference(sum, whole)).lower > ratio(-1, 100'000));
}

TEST_CASE("a box of a million deviations holds all of the mass") {
  // x around 0.3 and y around 2 x, with deviations 1e-6 on each.
  const Rational far = 1'000'000, precision = far * far;
  const Polynomial u = x - ratio(3, 10), v = y - 2 * x;
  const auto found = mass(Rational(-precision / 2) * (u * u + v * v), 2,
                          {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 0}, 1}, {{0, 1}, 1}});
  REQUIRE(found);
  const Reals r{128};
  const Ball whole = r.quotient(r.product(r(2), r.pi()), r(precision));
  CHECK(arb_overlaps(*found, whole));
  CHECK(has_digits(*found, 12));
}

TEST_CASE("long polygons and prisms agree with quadrature") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto number = [&](int most) {
      return ratio(static_cast<long>(random() % static_cast<unsigned>(2 * most + 1)) - most, 8);
    };
    const std::size_t n = seed % 2 == 0 ? 2 : 3;
    SmoothIntegrand integrand;
    integrand.dimension = n;
    integrand.factor = 1;
    const Polynomial u = x - number(8), v = y - number(8) - number(8) * x,
                     w = z - number(8) * x - number(8) * y;
    integrand.exponent = ratio(-1, 2) * (u * u) - v * v;
    if (n == 3) integrand.exponent -= ratio(1, 2) * (w * w);
    std::vector<Halfspace> sides = {{{1, number(4)}, 5}, {{-1, number(4)}, 5}};
    sides.push_back({{number(4), 1}, ratio(1, 4)});
    sides.push_back({{number(4), -1}, ratio(1, 2)});
    if (n == 3) {
      for (Halfspace& side : sides) side.normal.push_back(number(2));
      sides.push_back({{0, number(2), 1}, ratio(1, 4)});
      sides.push_back({{number(2), 0, -1}, ratio(1, 4)});
    }
    const ConvexRegion region(n, sides);
    REQUIRE(region.polytope);
    const auto found = integrate_normal_cones(*normal_law(integrand.exponent, n), region, 8);
    REQUIRE(found);
    CHECK(has_digits(*found, 8));
    const Ball expected = integrate_over_simplices(integrand, *region.polytope, 8);
    CHECK(has_digits(expected, 7));
    CHECK(arb_overlaps(*found, expected));
  }
}

TEST_CASE("nearly dependent coordinates, and regions far away, have their digits") {
  for (const Rational& deviation : {ratio(1, 1000), ratio(1, 1'000'000'000)}) {
    // y is x/2 up to a deviation: P(x > 0, y > 0) = 1/4 + asin(r) / (2 pi).
    const Polynomial e = (y - ratio(1, 2) * x) * Polynomial(1 / deviation);
    const auto found = mass(ratio(-1, 2) * (x * x + e * e), 2, {{{-1, 0}, 0}, {{0, -1}, 0}});
    REQUIRE(found);
    const Reals r{256};
    const Rational variance = ratio(1, 4) + deviation * deviation;
    Ball angle;
    arb_asin(angle, r.quotient(r(ratio(1, 2)), r.root(r(variance))), r.bits);
    const Ball expected =
        r.product(r(deviation), r.sum(r.quotient(r.pi(), r(2)), angle));  // times 2 pi deviation
    CHECK(arb_overlaps(*found, expected));
    CHECK(has_digits(*found, 12));
  }
  const auto far = mass(ratio(-1, 2) * (x * x + y * y), 2, {{{-1, 0}, -20}, {{0, -1}, -30}});
  REQUIRE(far);
  const Reals r{256};
  const auto beyond = [&](const Rational& end) {
    return r.product(r.root(r.product(r(2), r.pi())), r.normal_below(r(Rational(-end))));
  };
  CHECK(arb_overlaps(*far, r.product(beyond(20), beyond(30))));
}

TEST_CASE("narrow regions, lines, and vertices on many facets are left to others") {
  const Polynomial exponent = -(x * x) - y * y;
  CHECK_FALSE(mass(exponent, 2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}}));
  CHECK(mass(exponent, 2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 9}}));
  CHECK_FALSE(mass(exponent, 2, {{{-1, 0}, 0}}));
  const std::vector<Halfspace> pyramid = {
      {{1, 0, 1}, 0}, {{-1, 0, 1}, 0}, {{0, 1, 1}, 0}, {{0, -1, 1}, 0}};
  CHECK_FALSE(mass(exponent - z * z, 3, pyramid));
  CHECK_FALSE(mass(-(x * x), 1, {{{-1}, 0}}));
}

}  // namespace
}  // namespace wmi
