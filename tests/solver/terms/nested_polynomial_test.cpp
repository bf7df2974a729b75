#include "solver/terms/nested_polynomial.h"

#include <doctest/doctest.h>

#include "tests/solver/random_nested.h"

namespace wmi::tests {
namespace {

TEST_CASE("steps may use earlier ones, and are multiplied out on demand") {
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  const Polynomial s = Polynomial::variable(2), t = Polynomial::variable(3);
  const NestedPolynomial polynomial{2, {x + y, s + 1, s * t * t - 3 * x}};
  CHECK(expanded(polynomial) == (x + y) * (x + y + 1) * (x + y + 1) - 3 * x);
  CHECK(degrees(polynomial).each == std::vector<unsigned>{3, 3});
  CHECK(degrees(polynomial).total == 3);
  CHECK(expanded({2, {}}).zero());
}

TEST_CASE("the expanded polynomial has the value of the steps, and no higher degree") {
  Random random(11);
  CAPTURE(random.seed());
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const auto n = static_cast<std::size_t>(random.integer(1, 3));
    const NestedPolynomial polynomial = random_nested(random, n, random.integer(1, 4));
    std::vector<Rational> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(random.rational());
    const std::vector<Rational> point(values.begin(), values.end());
    for (const Polynomial& step : polynomial.steps) values.push_back(step.at(values));
    const Polynomial product = expanded(polynomial);
    CHECK(product.at(point) == values.back());
    const Degrees bound = degrees(polynomial);
    CHECK(product.degree() <= bound.total);
    for (const Polynomial::Term& term : product.terms())
      for (const Power& power : term.monomial) CHECK(power.exponent <= bound.each[power.variable]);
  }
}

TEST_CASE("degrees beyond all bounds are cut off") {
  NestedPolynomial polynomial{1, {power(Polynomial::variable(0), 200)}};
  for (Variable step = 1; step < 20; ++step)
    polynomial.steps.push_back(power(Polynomial::variable(step), 200));
  CHECK(degrees(polynomial).total == Degrees::most);
}

}  // namespace
}  // namespace wmi::tests
