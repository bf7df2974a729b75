#include "solver/integrators/factored.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1),
                 z = Polynomial::variable(2);

TEST_CASE("each monomial of a factor is integrated once, in coordinates of its own") {
  Factored factored({{0, 2}, {1}});
  factored.add(x * z + 3 * x * z * y + y);
  factored.add(y * y);
  REQUIRE(factored.factor_count() == 2);
  CHECK(factored.coordinates(0) == std::vector<Variable>{0, 2});
  // The terms by ascending monomial: x y z, x z, y.
  CHECK(factored.monomials(0) == std::vector<Polynomial>{x * y, Polynomial(1)});
  CHECK(factored.monomials(1) == std::vector<Polynomial>{x, Polynomial(1), x * x});
}

TEST_CASE("integrals over a product are made of those over its factors") {
  // Over [0, 1] x [0, 2]: x y + 2 x has 1/2 * 2 + 2 * 1/2 * 2 = 3, and 5 has 5 * 1 * 2 = 10.
  Factored factored({{0}, {1}});
  factored.add(x * y + 2 * x);
  factored.add(Polynomial());
  factored.add(Polynomial(5));
  std::vector<std::vector<Interval>> of_factors(2);
  for (std::size_t i = 0; i < 2; ++i)
    for (const Polynomial& monomial : factored.monomials(i)) {
      const bool constant = monomial == Polynomial(1);
      if (i == 0)
        of_factors[i].emplace_back(constant ? Rational(1) : ratio(1, 2));
      else
        of_factors[i].emplace_back(Rational(2));
    }
  CHECK(factored.integrals(of_factors) ==
        std::vector<Interval>{Rational(3), Rational(0), Rational(10)});
}

TEST_CASE("the integral is enclosed if a factor is") {
  Factored factored({{0}, {1}});
  factored.add(-1 * x * y);
  CHECK(factored.integrals({{Interval(1, 2)}, {Interval(3, 4)}}) ==
        std::vector<Interval>{Interval(-8, -3)});
}

}  // namespace
}  // namespace wmi
