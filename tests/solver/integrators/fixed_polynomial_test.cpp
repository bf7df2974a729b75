#include "solver/integrators/fixed_polynomial.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "tests/solver/random_nested.h"

namespace wmi::tests {
namespace {

using namespace fixed_point;

template <std::size_t width>
Number<width> random_number(Random& random) {
  Number<width> result;
  for (Limb& limb : result) {
    limb = 0;
    for (int part = 0; part < 4; ++part) limb = limb << 16 | Limb(random.integer(0, 65535));
    if (random.chance(20)) limb = random.chance(50) ? 0 : ~Limb{0};
  }
  return result;
}

template <std::size_t width>
void check_products(Random& random) {
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const Number<width> a = random_number<width>(random), b = random_number<width>(random);
    Number<width> sum = {}, difference = {};
    add_high_product<false>(sum, a, b);
    add_high_product<true>(difference, a, b);
    Integer unsigned_b;
    mpz_import(unsigned_b.get_mpz_t(), width, -1, sizeof(Limb), 0, 0, b.data());
    Integer exact = integer(a) * unsigned_b;
    mpz_fdiv_q_2exp(exact.get_mpz_t(), exact.get_mpz_t(), 64 * width);
    CHECK(abs(integer(sum) - exact) <= Integer(product_error<width>));
    CHECK(integer(difference) == -integer(sum));

    const long shift = random.integer(-150, 150);
    Number<width> shifted = a;
    shift_left(shifted, shift);
    Integer expected = integer(a);
    if (shift < 0) {
      mpz_fdiv_q_2exp(expected.get_mpz_t(), expected.get_mpz_t(), mp_bitcnt_t(-shift));
      CHECK(integer(shifted) == expected);
    } else {  // modulo 2^(64 width)
      const Integer lost = (expected << mp_bitcnt_t(shift)) - integer(shifted);
      CHECK(mpz_divisible_2exp_p(lost.get_mpz_t(), 64 * width) != 0);
    }
  }
}

TEST_CASE("products and shifts of fixed-point numbers are within their errors") {
  Random random(12);
  CAPTURE(random.seed());
  check_products<4>(random);
  check_products<8>(random);
  check_products<16>(random);
}

TEST_CASE("numbers are rounded downwards to fixed point") {
  CHECK(integer(rounded<4>(ratio(7, 3), 1)) == 4);
  CHECK(integer(rounded<4>(ratio(700, 3), -3)) == 29);
  const Number<4> third = rounded<4>(ratio(1, 3), 256);
  CHECK(third[3] == ~Limb{0} / 3);
  CHECK(rounded<4>(Rational(1), 256) == Number<4>{~Limb{0}, ~Limb{0}, ~Limb{0}, ~Limb{0}});
  CHECK(integer(scaled<4>(rounded<4>(Rational(100), 0), 3, 7)) == 42);
}

/// The sum of the absolute errors of the coefficients, in units of the last bit.
template <std::size_t width>
Rational error_of(const FixedPolynomial<width>& found, const Polynomial& exact) {
  std::map<std::vector<unsigned>, Rational> coefficients;
  const std::size_t n = found.monomials.degrees().size();
  for (const Polynomial::Term& term : exact.terms()) {
    std::vector<unsigned> exponents(n);
    for (const Power& power : term.monomial) exponents[power.variable] = power.exponent;
    coefficients[exponents] = term.coefficient;
  }
  Rational unit = 1, sum;
  if (found.exponent >= 0)
    unit <<= static_cast<mp_bitcnt_t>(found.exponent);
  else
    unit >>= static_cast<mp_bitcnt_t>(-found.exponent);
  for (const MonomialRows::Row& row : found.monomials.rows())
    for (std::size_t k = 0; k < row.length; ++k) {
      std::vector<unsigned> exponents = row.exponents;
      exponents.push_back(static_cast<unsigned>(k));
      CHECK(found.monomials.index(exponents) == row.start + k);
      sum += abs(coefficients[exponents] / unit - integer(found.numbers[row.start + k]));
      coefficients.erase(exponents);
    }
  for (const auto& [exponents, coefficient] : coefficients) CHECK(coefficient == 0);
  return sum;
}

template <std::size_t width>
void check_errors(Random& random) {
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    const auto n = static_cast<std::size_t>(random.integer(1, 3));
    const NestedPolynomial polynomial = random_nested(random, n, random.integer(1, 4));
    std::vector<long> scales;
    for (std::size_t i = 0; i < n; ++i) scales.push_back(random.integer(-1, 2));
    const FixedPolynomial<width> found = fixed<width>(polynomial, scales);
    const Polynomial exact = expanded(polynomial).substitute([&](Variable variable) {
      const long scale = scales[variable];
      return Polynomial::variable(variable) *
             Polynomial(scale < 0 ? Rational(ratio(1, 2)) : Rational(1 << scale));
    });
    CHECK(found.size() < .25);
    CHECK(error_of(found, exact) <= Rational(found.error));
    if (!exact.zero() && found.error > 0) {  // some 100 bits at least
      CHECK(std::log2(found.error) < 64 * double(width) - 100);
    }
  }
}

TEST_CASE("the errors of a polynomial that is multiplied out in fixed point are bounded") {
  Random random(13);
  CAPTURE(random.seed());
  check_errors<4>(random);
  check_errors<8>(random);
}

TEST_CASE("what cancels completely has an error, and no digits") {
  const Polynomial x = Polynomial::variable(0), third(ratio(1, 3));
  const NestedPolynomial zero{1, {x + third, Polynomial::variable(1) - x - third}};
  const FixedPolynomial<4> found = fixed<4>(zero, std::vector<long>{0});
  CHECK(error_of(found, Polynomial()) <= Rational(found.error));
}

}  // namespace
}  // namespace wmi::tests
