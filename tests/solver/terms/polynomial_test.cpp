#include "solver/terms/polynomial.h"

#include <doctest/doctest.h>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"
#include "tests/solver/random_problem.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

TEST_CASE("a polynomial is kept sorted, without zeros") {
  CHECK((x + y) * (x - y) == x * x - y * y);
  CHECK((x - x).zero());
  CHECK((x + 1 - x).constant());
  CHECK((x + 1 - x).constant_term() == 1);
  CHECK(power(x + 1, 3) == x * x * x + 3 * x * x + 3 * x + 1);
  CHECK(power(x, 0) == Polynomial(1));
  CHECK((x * y * y + x).degree() == 3);
  CHECK((y + x * y).variables() == std::vector<Variable>{0, 1});
}

TEST_CASE("substitution and evaluation agree") {
  tests::Random random(20);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 200; ++i) {
    const auto affine = [&] {
      return Polynomial(random.rational()) * x + Polynomial(random.rational()) * y +
             Polynomial(random.rational());
    };
    const Polynomial p = affine() * affine() + affine(), a = affine(), b = affine();
    const std::vector<Rational> point = {random.rational(), random.rational()};
    const std::vector<Rational> image = {a.at(point), b.at(point)};
    CHECK(p.substitute([&](Variable v) { return v == 0 ? a : b; }).at(point) == p.at(image));
  }
}

TEST_CASE("variables that are kept, swapped or merged are substituted correctly") {
  tests::Random random(21);
  MESSAGE("seed " << random.seed());
  const Polynomial z = Polynomial::variable(2);
  const std::vector<Polynomial> values = {x,         y,     z,     2 * x, x * y,
                                          x + y - z, x * x, z - y, 0,     ratio(1, 3)};
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const auto linear = [&] {
      return random.rational() * x + random.rational() * y + random.rational() * z +
             random.rational();
    };
    const Polynomial p = linear() * linear() * linear() + linear() * x * x;
    std::vector<Polynomial> chosen;
    std::vector<Rational> image;
    const std::vector<Rational> point = {random.rational(), random.rational(), random.rational()};
    for (int j = 0; j < 3; ++j) {
      chosen.push_back(
          values[static_cast<std::size_t>(random.integer(0, static_cast<int>(values.size()) - 1))]);
      image.push_back(chosen.back().at(point));
    }
    const Polynomial found = p.substitute([&](Variable v) { return chosen[v]; });
    CHECK(found.at(point) == p.at(image));
    Polynomial expected;  // from powers and products
    for (const auto& [monomial, coefficient] : p.terms()) {
      Polynomial term = coefficient;
      for (const auto& [variable, exponent] : monomial)
        term = term * power(chosen[variable], exponent);
      expected += term;
    }
    CHECK(found == expected);
  }
}

TEST_CASE("replace keeps the variables that have no value") {
  const Polynomial image = 2 * y - 3;
  const auto of_x = [&](Variable variable) { return variable == 0 ? &image : nullptr; };
  CHECK((5 * x + y + 1).replace(of_x) == 11 * y - 14);  // 10 y - 15 + y + 1
  CHECK((x * x * y + x).replace(of_x) == 4 * y * y * y - 12 * y * y + 11 * y - 3);
  CHECK((y + 7).replace(of_x) == y + 7);
  CHECK((y * y).replace(of_x) == y * y);
  CHECK((x - 2 * y).replace(of_x) == Polynomial(-3));
  CHECK(Polynomial(4).replace(of_x) == Polynomial(4));
  CHECK(Polynomial().replace(of_x).zero());
}

TEST_CASE("coefficients that take more memory than the cap are refused") {
  const Polynomial x = Polynomial::variable(0);
  const Rational third = ratio(1, 3);
  caps::coefficients.set(1'000);
  CHECK_THROWS_AS(power(x + third, 60), Error);  // 61 terms of two words or more
  CHECK(power(x + third, 5).terms().size() == 6);
  caps::coefficients.set(caps::coefficients.standard());
  CHECK(power(x + third, 60).terms().size() == 61);
}

TEST_CASE("products of many terms have the right values and are sorted") {
  tests::Random random(61);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const auto some = [&](int terms, int variables, int degree) {
      Polynomial result(random.rational());
      for (int k = 0; k < terms; ++k) {
        Polynomial term(random.rational());
        for (int d = random.integer(0, degree); d > 0; --d)
          term = term * Polynomial::variable(static_cast<Variable>(
                            (i % 3 == 0 ? 40 : 1) * random.integer(0, variables - 1)));
        result += term;
      }
      return result;
    };
    const Polynomial a = some(30, 3, 4), b = some(30, 4, i % 5 == 0 ? 20 : 3), product = a * b;
    std::vector<Rational> point(121);
    for (Rational& entry : point) entry = random.rational();
    CHECK(product.at(point) == a.at(point) * b.at(point));
    CHECK(product == Polynomial(product.terms()));  // sorted, collected, without zeros
    CHECK((a + b) * (a - b) == a * a - b * b);
  }
}

TEST_CASE("degrees and sizes beyond the caps are refused, not computed") {
  CHECK_THROWS_AS(power(x + 1, 1000), Error);
  CHECK_THROWS_AS(power(x, max_degree) * x, Error);
  CHECK_NOTHROW(power(x, max_degree));
  CHECK_THROWS_AS(power(Polynomial(2), 1'000'000), Error);
  CHECK(power(Polynomial(1), 1'000'000) == Polynomial(1));
  CHECK(power(Polynomial(-1), 999'999) == Polynomial(-1));
  Polynomial product(1);
  CHECK_THROWS_AS(
      [&] {
        for (Variable i = 0; i < 40; ++i) product = product * (Polynomial::variable(i) + 1);
      }(),
      Error);
}

}  // namespace
}  // namespace wmi
