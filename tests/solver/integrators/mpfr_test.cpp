#include <doctest/doctest.h>

#include <array>

#include "solver/integrator.h"
#include "solver/terms/error.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("mpfr encloses the exact value narrowly at every precision") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 4;
    const Polytope region(n, random.region(n, 3));
    const Polynomial integrand = random.polynomial(n, 6, 5);
    const Rational expected = exact(integrand, region);
    for (const unsigned precision : {24u, 53u, 128u}) {
      CAPTURE(precision);
      const Interval found = make_mpfr({precision})->integrate(std::array{integrand}, region)[0];
      CHECK(found.contains(expected));
      // Integrand and region are of size 10^6 at most: 36 bits, and a few for the roundings.
      CHECK(found.upper - found.lower <= power(Rational(2), 40) / power(Rational(2), precision));
    }
  }
}

TEST_CASE("mpfr keeps nearly all digits of a positive integral") {
  const Polytope region(4, simplex(4));
  const Polynomial integrand = power(x + y + z, 9) + ratio(1, 3);
  const Rational expected = exact(integrand, region);
  for (const unsigned precision : {24u, 53u, 128u}) {
    CAPTURE(precision);
    const Interval found = make_mpfr({precision})->integrate(std::array{integrand}, region)[0];
    CHECK(found.contains(expected));
    CHECK((found.upper - found.lower) / expected <=
          power(Rational(2), 8) / power(Rational(2), precision));
  }
}

TEST_CASE("mpfr returns numbers of the precision asked for") {
  const Polytope third(1, {{{3}, 1}, {{-1}, 0}});
  const Interval found = make_mpfr({8})->integrate(std::array{Polynomial(1)}, third)[0];
  CHECK_FALSE(found.exact());
  CHECK(found.contains(ratio(1, 3)));
  CHECK(found == Interval(ratio(170, 512), ratio(171, 512)));
}

TEST_CASE("a precision out of range is refused") {
  CHECK_THROWS_WITH_AS(make_mpfr({0}), "a precision of 0 bits is not between 2 and 1000000", Error);
  CHECK_THROWS_AS(make_mpfr({4'000'000'000}), Error);
}

}  // namespace
}  // namespace wmi::tests
