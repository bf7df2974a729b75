#include "solver/smooth/chebyshev_expansion.h"

#include <doctest/doctest.h>

#include <cmath>

namespace wmi::tests {
namespace {

Ball number(double value) { return ball(Rational(value), 100); }

TEST_CASE("e to a quadratic polynomial is its expansion, give or take the rest") {
  for (const double a : {0.0, -0.01, -0.5, -2.0, -7.0})
    for (const double b : {0.0, 0.3, -1.5, 4.0, -9.0})
      for (const double c : {0.0, -5.0, 2.0}) {
        CAPTURE(a);
        CAPTURE(b);
        const ChebyshevExpansion found = expand_exponential(number(a), number(b), number(c));
        double size = 0;
        for (int i = -40; i <= 40; ++i) {
          const double x = i / 40.0;
          double sum = 0;
          for (std::size_t j = 0; j < found.coefficients.size(); ++j)
            sum += found.coefficients[j] * std::cos(static_cast<double>(j) * std::acos(x));
          const double expected = std::exp((a * x + b) * x + c);
          size = std::max(size, expected);
          CHECK(std::abs(sum - expected) <= found.rest + 1e-12 * size);
        }
        if (a >= -2 && std::abs(b) <= 4) CHECK(found.rest <= 1e-9 * size);
      }
}

TEST_CASE("a rest that matters is not left out: coefficients beyond the last one") {
  // e^(-50 x^2) has Chebyshev coefficients of about I_12(25) e^-25 at 24, far above roundoff.
  const ChebyshevExpansion found = expand_exponential(number(-50), number(0), number(0));
  double sum = 0;
  for (std::size_t j = 0; j < found.coefficients.size(); j += 2)
    sum += found.coefficients[j] * (j % 4 == 0 ? 1 : -1);
  CHECK(std::abs(sum - 1) > 1e-6);
  CHECK(std::abs(sum - 1) <= found.rest);
}

TEST_CASE("the rest is one for all numbers in the balls, also where few coefficients decide it") {
  // e^(-50 x^2 + 5) is within the ball of exponents around e^(-50 x^2), whose rest is e^5 times less.
  Ball constant = number(0);
  arb_add_error(constant, number(5));
  const ChebyshevExpansion exact = expand_exponential(number(-50), number(0), number(0));
  const ChebyshevExpansion found = expand_exponential(number(-50), number(0), constant);
  CHECK(found.rest >= exact.rest * std::exp(5));
}

TEST_CASE("numbers beyond all doubles have an infinite rest") {
  CHECK(std::isinf(expand_exponential(number(0), number(0), number(1000)).rest));
}

TEST_CASE("Chebyshev polynomials have their coefficients") {
  CHECK(chebyshev_polynomials()[4][4] == 8);
  CHECK(chebyshev_polynomials()[4][2] == -8);
  CHECK(chebyshev_polynomials()[4][0] == 1);
  CHECK(chebyshev_polynomials()[5][1] == 5);
}

}  // namespace
}  // namespace wmi::tests
