#include "solver/numeric/dense_polynomial.h"

#include <doctest/doctest.h>

#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

Univariate random_univariate(Random& random, int degree) {
  std::vector<Rational> coefficients;
  for (int i = 0; i <= degree; ++i) coefficients.push_back(random.rational());
  return Univariate(std::move(coefficients));
}

TEST_CASE("dense polynomials compute what univariate ones do") {
  Random random(41);
  CAPTURE(random.seed());
  for (int round = 0; round < 200; ++round) {
    const Univariate a = random_univariate(random, random.integer(0, 8)),
                     b = random_univariate(random, random.integer(0, 8));
    const Rational factor = random.rational(), constant = random.rational();
    CHECK(DensePolynomial(a).univariate() == a);
    CHECK((DensePolynomial(a) * DensePolynomial(b)).univariate() == a * b);
    CHECK(DensePolynomial(a).antiderivative().univariate() == a.antiderivative());
    CHECK(DensePolynomial(a).composed(factor, constant).univariate() ==
          a.composed(factor, constant));
    CHECK(DensePolynomial(a).at(factor) == a.at(factor));
    DensePolynomial sum(a);
    sum += DensePolynomial(b);
    CHECK(sum.univariate() == a + b);
    sum -= DensePolynomial(b);
    CHECK(sum == DensePolynomial(a));
  }
}

TEST_CASE("a dense polynomial is shifted, and written in a variable of several") {
  const DensePolynomial p(Univariate({1, 0, ratio(1, 2)}));  // 1 + x^2/2
  CHECK(p.degree() == 2);
  CHECK(p.shifted(1).univariate() == Univariate({0, 1, 0, ratio(1, 2)}));
  const Polynomial y = Polynomial::variable(3);
  CHECK(p.polynomial(3) == ratio(1, 2) * y * y + 1);
  CHECK(DensePolynomial().polynomial(3).zero());
}

}  // namespace
}  // namespace wmi::tests
