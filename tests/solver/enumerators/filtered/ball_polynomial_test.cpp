// Polynomials with balls as coefficients against exact ones.

#include "solver/enumerators/filtered/ball_polynomial.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "tests/solver/power_of_two.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

/// All 53 bits are random. Of size 2^exponent, or as large as doubles are.
double random_double(Random& random, int exponent) {
  const double high = random.integer(1 << 25, (1 << 26) - 1),
               low = random.integer(0, (1 << 27) - 1);
  return std::ldexp((high * 0x1p27 + low) * (random.chance(50) ? 1 : -1),
                    std::min(exponent, 1024) - 53);
}

/// A polynomial, exactly and enclosed.
struct Pair {
  Polynomial exact;
  BallPolynomial enclosed;
};

Pair operator+(Pair a, const Pair& b) {
  a.exact += b.exact;
  a.enclosed += b.enclosed;
  return a;
}

Pair operator*(const Pair& a, const Pair& b) {
  return {a.exact * b.exact, a.enclosed * b.enclosed};
}

/// False if a coefficient is unbounded. Every other one has to contain the exact one, and what is not
/// there has to be 0.
bool check_contains(const Pair& pair) {
  std::map<Monomial, Rational> missing;
  for (const Polynomial::Term& term : pair.exact.terms()) missing[term.monomial] = term.coefficient;
  bool bounded = true;
  const EnclosedPolynomial enclosed = pair.enclosed.enclosed();
  for (const EnclosedPolynomial::Term& term : enclosed.terms()) {
    const auto found = missing.find(term.monomial);
    const Rational exact = found == missing.end() ? Rational(0) : found->second;
    if (found != missing.end()) missing.erase(found);
    if (!std::isfinite(term.lower) || !std::isfinite(term.upper)) {
      bounded = false;
      continue;
    }
    REQUIRE(Rational(term.lower) <= exact);
    REQUIRE(exact <= Rational(term.upper));
  }
  REQUIRE(missing.empty());
  return bounded;
}

/// Sizes about 2^exponent.
struct Sizes {
  int least, most;

  int exponent(Random& random) const { return random.integer(least, most); }
};

Pair random_constant(Random& random, const Sizes& sizes) {
  Rational value = random.chance(10)   ? Rational(0)
                   : random.chance(40) ? Rational(random_double(random, 0))
                                       : random.rational();
  value *= power_of_two(sizes.exponent(random));
  return {value, BallPolynomial(value)};
}

/// An affine form, its coefficients in doubles, and an error that is just what they differ by, rounded
/// upwards.
Pair random_form(Random& random, const Sizes& sizes, std::size_t coordinates) {
  std::vector<double> coefficients;
  Polynomial exact;
  Rational error;
  const int common = sizes.exponent(random);
  const bool has_error = random.chance(50);
  const int relative = -random.integer(1, 60);
  for (std::size_t k = 0; k <= coordinates; ++k) {
    const double near =
        random.chance(15)
            ? 0
            : random_double(random, random.chance(70) ? common : sizes.exponent(random));
    Rational off;
    if (has_error && random.chance(70))
      off = ratio(random.integer(-9, 9), random.integer(1, 9)) * power_of_two(common + relative);
    coefficients.push_back(near);
    const Rational coefficient = Rational(near) + off;
    exact +=
        coefficient * (k == 0 ? Polynomial(1) : Polynomial::variable(static_cast<Variable>(k - 1)));
    error += abs(off);
  }
  const EnclosedForm form{coefficients.data(), round_outwards(error).upper, 0};
  return {exact, BallPolynomial(form, coordinates)};
}

/// A random expression, each part of which is checked.
Pair random_expression(Random& random, const Sizes& sizes, std::size_t coordinates, int depth,
                       int& unbounded) {
  const auto part = [&] {
    return random_expression(random, sizes, coordinates, depth - 1, unbounded);
  };
  const auto made = [&]() -> Pair {
    if (depth == 0)
      return random.chance(30) ? random_constant(random, sizes)
                               : random_form(random, sizes, coordinates);
    switch (random.integer(0, 4)) {
      case 0:
      case 1:
        return part() + part();
      case 2: {
        // The same again with the other sign, nearly: what is left is smaller than the errors.
        const Pair a = part(), b = part();
        const Rational minus = Rational(-1) - power_of_two(-random.integer(30, 60));
        return a * b + Pair{minus, BallPolynomial(minus)} * a * b;
      }
      case 3: {
        const Pair base = part();
        const auto exponent = static_cast<unsigned>(random.integer(0, depth == 1 ? 4 : 2));
        return {power(base.exact, exponent), power(base.enclosed, exponent)};
      }
      default:
        return part() * part();
    }
  };
  Pair result = made();
  if (!check_contains(result)) ++unbounded;
  return result;
}

TEST_CASE("sums, products and powers contain the exact polynomial, coefficient by coefficient") {
  Random random(230);
  MESSAGE("seed " << random.seed());
  int unbounded = 0;
  const auto check = [&](const Sizes& sizes, int rounds) {
    unbounded = 0;
    for (int round = 0; round < rounds; ++round) {
      CAPTURE(round);
      const auto coordinates = static_cast<std::size_t>(random.integer(1, 3));
      random_expression(random, sizes, coordinates, random.integer(0, 3), unbounded);
    }
  };
  SUBCASE("usual numbers") {
    check({-2, 2}, 3000);
    CHECK(unbounded == 0);
  }
  SUBCASE("numbers of all sizes") {
    check({-60, 60}, 1500);
    CHECK(unbounded == 0);
  }
  SUBCASE("tiny numbers, whose products underflow") {
    check({-1070, -400}, 1500);
    CHECK(unbounded == 0);
  }
  SUBCASE("huge numbers, whose products overflow") {
    check({300, 1022}, 1000);
    CHECK(unbounded > 0);
  }
  SUBCASE("numbers beyond doubles") {
    check({900, 1400}, 500);
    CHECK(unbounded > 0);
  }
  SUBCASE("all of them together") { check({-1100, 1100}, 1500); }
}

TEST_CASE("a single rounding is allowed for") {
  // 1 + 2^-53 is not a double, and neither is (1 + 2^-52)^2.
  const BallPolynomial one(Rational(1)), half_unit(power_of_two(-53));
  BallPolynomial sum = one;
  sum += half_unit;
  CHECK(check_contains({Polynomial(1 + power_of_two(-53)), sum}));
  const Rational next = 1 + power_of_two(-52);
  CHECK(check_contains({Polynomial(next * next), BallPolynomial(next) * BallPolynomial(next)}));
  CHECK(check_contains({Polynomial(next * next), power(BallPolynomial(next), 2)}));
  // Even where the product underflows to 0.
  const Rational tiny = power_of_two(-600);
  CHECK(check_contains({Polynomial(tiny * tiny), BallPolynomial(tiny) * BallPolynomial(tiny)}));
}

TEST_CASE("numbers that are doubles are enclosed narrowly") {
  const EnclosedPolynomial three = BallPolynomial(Rational(3)).enclosed();
  REQUIRE(three.terms().size() == 1);
  CHECK(three.terms()[0].lower >= std::nextafter(3.0, 0.0));
  CHECK(three.terms()[0].upper <= std::nextafter(3.0, 4.0));
  CHECK(BallPolynomial(Rational(0)).enclosed().terms().empty());
  CHECK(BallPolynomial().enclosed().terms().empty());
  CHECK(power(BallPolynomial(Rational(0)), 0).enclosed().terms().size() == 1);  // 1
}

TEST_CASE("a form's coefficients are each off by its error at most") {
  const double coefficients[] = {0.5, 0, -2};
  const EnclosedPolynomial exact = BallPolynomial({coefficients, 0, 2.5}, 2).enclosed();
  CHECK(exact.terms().size() == 2);  // nothing of the first coordinate
  const EnclosedPolynomial blurred = BallPolynomial({coefficients, 0.25, 2.75}, 2).enclosed();
  REQUIRE(blurred.terms().size() == 3);
  // 1/2 - 2 y + d with d any of 1/4, x/4 and y/4.
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  for (const Polynomial& off : {Polynomial(1), x, y, -x})
    CHECK(check_contains(
        {ratio(1, 2) - 2 * y + ratio(1, 4) * off, BallPolynomial({coefficients, 0.25, 2.75}, 2)}));
  for (const EnclosedPolynomial::Term& term : blurred.terms())
    CHECK(term.upper - term.lower < 0.5 + 1e-9);
  // Only so many coordinates are read.
  CHECK(BallPolynomial({coefficients, 0, 2.5}, 1).enclosed().terms().size() == 1);
}

}  // namespace
}  // namespace wmi::tests
