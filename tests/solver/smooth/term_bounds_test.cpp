#include "solver/smooth/term_bounds.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
/// The first function of an integrand in the plane, and the second.
const Polynomial f = Polynomial::variable(2), g = Polynomial::variable(3);

SmoothIntegrand with(const std::vector<std::pair<Function, Polynomial>>& functions) {
  SmoothIntegrand result;
  result.dimension = 2;
  for (const auto& [function, argument] : functions)
    result.functions.push_back(
        {static_cast<Variable>(2 + result.functions.size()), function, argument});
  return result;
}

/// x >= 1, y >= 2.
const std::vector<Halfspace> corner = {{{-1, 0}, -1}, {{0, -1}, -2}};

TEST_CASE("linear forms have their least value where they grow in all directions") {
  CHECK(least_on({1, 1}, corner) == Rational(3));
  CHECK(least_on({100, 1000}, corner) == Rational(2100));
  CHECK_FALSE(least_on({1, 0}, corner));
  CHECK_FALSE(least_on({1, -1}, corner));
}

TEST_CASE("terms lie between bounds that follow from the ranges of their functions") {
  const SmoothIntegrand given = with({{Function::exp, -x}, {Function::tanh, x * y}});
  const TermBounds bounds(given, corner);
  CHECK(bounds.least(1 + f) == Rational(1));
  CHECK_FALSE(bounds.most(1 + f));  // -x is bounded by nothing that grows in all directions
  CHECK(bounds.least(2 + f + g) == Rational(1));
  CHECK(bounds.most(2 + 3 * g) == Rational(5));
  CHECK(bounds.least(x + y - g) == Rational(2));
  CHECK(bounds.least(1 + x * x + 2 * (y * y) * f) == Rational(1));
  CHECK_FALSE(bounds.least(x * y));
  CHECK_FALSE(bounds.least(f * g));
  CHECK(bounds.least(g * g) == Rational(-1));
  const SmoothIntegrand falling = with({{Function::exp, -x - y}});
  CHECK(TermBounds(falling, corner).most(f) == Rational(1));
}

TEST_CASE("quotients are bounded where their denominators stay away from 0") {
  const SmoothIntegrand given = with({{Function::reciprocal, x + y}, {Function::reciprocal, x}});
  const TermBounds bounds(given, corner);
  CHECK(bounds.most(f) == ratio(1, 3));
  CHECK_FALSE(bounds.most(g));
  const SmoothIntegrand negative = with({{Function::reciprocal, -x - y}});
  CHECK(TermBounds(negative, corner).least(f) == ratio(-1, 3));
}

TEST_CASE("sizes are polynomials, also of roots and logarithms of other functions") {
  const std::vector<Univariate> coordinates = {Univariate({1, 1}), Univariate({0, 2})};
  const SmoothIntegrand given = with({{Function::sigmoid, x}, {Function::sqrt, 3 + 4 * f}});
  const TermBounds bounds(given, corner);
  CHECK(bounds.size(-2 * x * f, coordinates) == Univariate({2, 2}));
  CHECK(bounds.size(Power{3, 2}, coordinates) == Univariate({16}));  // (1 + 7) / 2 squared
  const SmoothIntegrand logarithm = with({{Function::log, x + y}, {Function::log, x}});
  CHECK(TermBounds(logarithm, corner).size(Power{2, 1}, coordinates) ==
        Univariate({ratio(4, 3), 3}));  // |x| + |y| + 1/3
  CHECK_THROWS_AS(TermBounds(logarithm, corner).size(Power{3, 1}, coordinates), Error);
  const SmoothIntegrand growing = with({{Function::exp, x}, {Function::sqrt, 1 + f}});
  CHECK_THROWS_AS(TermBounds(growing, corner).size(Power{3, 1}, coordinates), Error);
}

}  // namespace
}  // namespace wmi
