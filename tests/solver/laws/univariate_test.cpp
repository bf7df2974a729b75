#include "solver/laws/univariate.h"

#include <doctest/doctest.h>

#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("a univariate polynomial is given by its coefficients, ascending") {
  const Univariate p({1, 0, 3});  // 1 + 3 x^2
  CHECK(p.at(2) == 13);
  CHECK(p.degree() == 2);
  CHECK(p.derivative() == Univariate({0, 6}));
  CHECK(p.antiderivative() == Univariate({0, 1, 0, 1}));
  CHECK(p.integral(-1, 1) == 4);
  CHECK(p.composed(2, 1) == Univariate({4, 12, 12}));  // 1 + 3 (2y + 1)^2
  CHECK(Univariate({1, 0, 0}) == Univariate::constant(1));
  CHECK((p - p).zero());
  CHECK((p * Univariate()).zero());
  CHECK(Univariate().antiderivative().zero());
  CHECK(Univariate().at(7) == 0);
}

TEST_CASE("arithmetic of univariate polynomials agrees with their values") {
  Random random(41);
  const auto polynomial = [&] {
    std::vector<Rational> coefficients(static_cast<std::size_t>(random.integer(0, 6)));
    for (Rational& coefficient : coefficients) coefficient = random.rational();
    return Univariate(std::move(coefficients));
  };
  for (int i = 0; i < 1000; ++i) {
    const Univariate p = polynomial(), q = polynomial();
    const Rational x = random.rational(), a = random.rational(), b = random.rational();
    CHECK((p + q).at(x) == p.at(x) + q.at(x));
    CHECK((p - q).at(x) == p.at(x) - q.at(x));
    CHECK((p * q).at(x) == p.at(x) * q.at(x));
    CHECK((a * p).at(x) == a * p.at(x));
    CHECK(p.composed(a, b).at(x) == p.at(a * x + b));
    CHECK(p.antiderivative().derivative() == p);
    CHECK((p * q).derivative() == p.derivative() * q + p * q.derivative());
  }
}

}  // namespace
}  // namespace wmi::tests
