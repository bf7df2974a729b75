#include "solver/smooth/smooth_integrator.h"

#include <doctest/doctest.h>

#include "solver/geometry/polytope.h"
#include "solver/numeric/ball.h"
#include "solver/smooth/convex_region.h"
#include "solver/smooth/smooth_integrand.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

TEST_CASE("all integrators that take an integrand enclose the same number") {
  // e^(-(x + y)^2 / 2) on a square: a ridge, and quadrature.
  const ConvexRegion square(2, {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 0}, {{0, 1}, 1}});
  const SmoothIntegrand ridge = smooth_products(
      (1 + x * y) * Polynomial::variable(2),
      std::vector<AppliedFunction>{{2, Function::exp, ratio(-1, 2) * ((x + y) * (x + y))}}, 2)[0];
  std::vector<Ball> found;
  for (const SmoothIntegratorEntry& entry : smooth_integrators())
    if (const auto value = entry.integrate(ridge, square, 10)) found.push_back(*value);
  REQUIRE(found.size() == 2);
  CHECK(arb_overlaps(found[0], found[1]));
  for (const Ball& value : found) CHECK(has_digits(value, 10));
  // e^(-x^2/2) over the line: in closed form, as a marginal, in halves.
  const ConvexRegion line(1, {});
  const SmoothIntegrand normal = smooth_products(
      Polynomial::variable(1),
      std::vector<AppliedFunction>{{1, Function::exp, ratio(-1, 2) * (x * x)}}, 1)[0];
  found.clear();
  for (const SmoothIntegratorEntry& entry : smooth_integrators())
    if (entry.name != "tail")
      if (const auto value = entry.integrate(normal, line, 10)) found.push_back(*value);
  REQUIRE(found.size() == 3);
  for (const Ball& value : found) CHECK(arb_overlaps(value, found[0]));
}

TEST_CASE("a product over a box is the product of its integrals, constants included") {
  const std::vector<AppliedFunction> functions = {
      {2, Function::exp, x}, {3, Function::tanh, y}, {4, Function::log, Polynomial(2)}};
  const std::vector<Halfspace> box = {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 0}, {{0, 1}, 2}};
  const std::vector<Polynomial> integrands = {
      Polynomial::variable(2) * Polynomial::variable(3) * Polynomial::variable(4),
      x * y + Polynomial::variable(2)};
  const SmoothIntegrals found = integrate_smooth(integrands, functions, 2, box, 10);
  // (e - 1) log(cosh 2) log 2, and 1 + 2 (e - 1).
  CHECK(found.integrals[0].midpoint().get_d() == doctest::Approx(1.5781076935292).epsilon(1e-9));
  CHECK(found.integrals[1].midpoint().get_d() == doctest::Approx(4.43656365691809).epsilon(1e-9));
  for (const Interval& value : found.integrals) CHECK(has_digits(value, 9));
}

TEST_CASE("no volume, no dimension, infinite volume") {
  const std::vector<AppliedFunction> functions = {{1, Function::exp, x}};
  const Polynomial integrand = Polynomial::variable(1);
  const std::vector<Halfspace> flat = {{{1}, 0}, {{-1}, 0}};
  CHECK(integrate_smooth(std::span(&integrand, 1), functions, 1, flat, 6).flat);
  const std::vector<AppliedFunction> constant = {{0, Function::exp, Polynomial(1)}};
  const Polynomial e = Polynomial::variable(0);
  const Interval value = integrate_smooth(std::span(&e, 1), constant, 0, {}, 6).integrals[0];
  CHECK(value.lower < parse_number("2.7182818284590452354"));
  CHECK(value.upper > parse_number("2.7182818284590452353"));
  const Polynomial sum = 1 + Polynomial::variable(1);
  const std::vector<Halfspace> negative = {{{1}, 0}};
  CHECK_THROWS_AS(integrate_smooth(std::span(&sum, 1), functions, 1, negative, 6), Unbounded);
  CHECK(integrate_smooth(std::span(&integrand, 1), functions, 1, negative, 6)
            .integrals[0]
            .contains(1));
  const std::vector<Halfspace> positive = {{{-1}, 0}};
  CHECK(integrate_smooth(std::span(&integrand, 1), functions, 1, positive, 6).refusals.size() == 1);
}

TEST_CASE("what is cut off is part of the enclosure") {
  // e^(-x-y) on the quadrant beyond x + y = 1: 2/e. With the density of a normal law in x + y, what is
  // left is its mean beyond 1: phi(1).
  const std::vector<Halfspace> beyond = {{{-1, 0}, 0}, {{0, -1}, 0}, {{-1, -1}, -1}};
  const Polynomial f = Polynomial::variable(2);
  for (unsigned digits = 1; digits <= 8; ++digits) {
    CAPTURE(digits);
    const std::vector<AppliedFunction> falling = {{2, Function::exp, -x - y}};
    const Interval exponential =
        integrate_smooth(std::span(&f, 1), falling, 2, beyond, digits).integrals[0];
    CHECK(exponential.lower < parse_number("0.735758882342884643"));
    CHECK(exponential.upper > parse_number("0.735758882342884644"));
    CHECK(has_digits(exponential, digits));
    const std::vector<AppliedFunction> density = {{2, Function::normal, x + y}};
    const Interval normal =
        integrate_smooth(std::span(&f, 1), density, 2, beyond, digits).integrals[0];
    CHECK(normal.lower < parse_number("0.24197072451914334980"));
    CHECK(normal.upper > parse_number("0.24197072451914334979"));
    CHECK(has_digits(normal, digits));
  }
}

TEST_CASE("the law of logistic noise is a product of sigmoids") {
  // sigmoid(x) sigmoid(-x) has mass 1, and below 1 sigmoid(1).
  const Polynomial product = Polynomial::variable(1) * Polynomial::variable(2);
  const std::vector<AppliedFunction> functions = {{1, Function::sigmoid, x},
                                                  {2, Function::sigmoid, -x}};
  const Interval all = integrate_smooth(std::span(&product, 1), functions, 1, {}, 8).integrals[0];
  CHECK(all.contains(1));
  CHECK(has_digits(all, 8));
  const std::vector<Halfspace> below = {{{1}, 1}};
  const Interval part =
      integrate_smooth(std::span(&product, 1), functions, 1, below, 8).integrals[0];
  CHECK(part.lower < parse_number("0.73105857863000488"));
  CHECK(part.upper > parse_number("0.73105857863000487"));
  CHECK(has_digits(part, 8));
}

TEST_CASE("an infinite volume has a direction in all coordinates of the region") {
  const auto direction = [](const std::vector<AppliedFunction>& functions, const Polynomial& factor,
                            std::size_t dimension, const std::vector<Halfspace>& region) {
    try {
      integrate_smooth(std::span(&factor, 1), functions, dimension, region, 6);
    } catch (const Unbounded& error) {
      return error.direction();
    }
    return Point{};
  };
  const Polynomial z = Polynomial::variable(2);
  // y is free, without any halfspace; with one on x.
  const std::vector<AppliedFunction> of_x = {{2, Function::exp, -(x * x)}};
  for (const std::vector<Halfspace>& region :
       {std::vector<Halfspace>{}, std::vector<Halfspace>{{{1, 0}, 1}}}) {
    const Point found = direction(of_x, z, 2, region);
    REQUIRE(found.size() == 2);
    CHECK(found[0] == 0);
    CHECK(found[1] != 0);
  }
  // What is left of x - y, and of x - z, when one of them is integrated out has no end.
  const std::vector<AppliedFunction> ridge = {{2, Function::exp, -((x - y) * (x - y))}};
  CHECK(direction(ridge, z, 2, {}).size() == 2);
  const Polynomial w = Polynomial::variable(3);
  const std::vector<AppliedFunction> slanted = {{3, Function::exp, -((x - z) * (x - z))}};
  const std::vector<Halfspace> lower = {{{0, 1, 0}, 1}, {{0, -1, 0}, 1}};
  const Point found = direction(slanted, w, 3, lower);
  REQUIRE(found.size() == 3);
  CHECK(found[1] == 0);
  CHECK(found != Point(3));
}

}  // namespace
}  // namespace wmi
