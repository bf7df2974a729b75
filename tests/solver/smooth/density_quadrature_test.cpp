#include "solver/smooth/density_quadrature.h"

#include <doctest/doctest.h>

#include "solver/smooth/simplex_quadrature.h"
#include "tests/solver/geometry/shapes.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

SmoothIntegrand with_exponent(std::size_t n, const Polynomial& exponent,
                              const Polynomial& factor = 1) {
  SmoothIntegrand result;
  result.dimension = n;
  result.exponent = exponent;
  result.factor = factor;
  return result;
}

TEST_CASE("correlated normal densities over random polytopes are those of simplex quadrature") {
  int found = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const Polytope region(3, random.region(3, 2));
    if (region.flat()) continue;
    // Minus squares of forms: concave, and singular if there are fewer than three.
    Polynomial exponent = ratio(random.number(2), 2) * x + ratio(1, 3) * z;
    for (unsigned i = 0; i < 1 + seed % 3; ++i) {
      const Polynomial form = ratio(random.number(2), 3) * x + ratio(random.number(2), 3) * y +
                              ratio(1 + random.number(1), 2) * z;
      exponent += Rational(-1) * (form * form);
    }
    const SmoothIntegrand integrand =
        with_exponent(3, exponent, seed % 2 == 0 ? Polynomial(1) : 2 + x * y - z);
    const auto got = integrate_by_density(integrand, region, 4);
    if (!got) continue;
    ++found;
    const Interval expected = interval(integrate_over_simplices(integrand, region, 6)),
                   mine = interval(*got);
    CHECK(mine.lower <= expected.upper);
    CHECK(expected.lower <= mine.upper);
  }
  CHECK(found >= 3);
}

TEST_CASE("orthants of a correlated normal density in a large box have their closed form") {
  // Correlations 1/2: the inverse covariance is 2 (I - J/4). Of P(all > 0) = 1/4 the part beyond 12
  // deviations is below 1e-30; the density lacks the factor sqrt(2) (2 pi)^(-3/2).
  Polynomial exponent;
  for (Variable i = 0; i < 3; ++i)
    for (Variable j = 0; j < 3; ++j)
      exponent += ratio(i == j ? -3 : 1, 4) * (Polynomial::variable(i) * Polynomial::variable(j));
  const auto found =
      integrate_by_density(with_exponent(3, exponent), Polytope(3, cube(3, 0, 12)), 6);
  REQUIRE(found);
  // (2 pi)^(3/2) / sqrt(2) / 4 = 2.7841639984158...
  const Interval value = interval(*found);
  CHECK(value.contains(parse_fraction("2.7841639984158535")));
  CHECK(has_digits(value, 6));
}

TEST_CASE("other integrands are left to others") {
  const Polytope region(3, cube(3, 0, 1));
  CHECK_FALSE(integrate_by_density(with_exponent(3, x * y), region, 4));
  CHECK_FALSE(integrate_by_density(with_exponent(3, x * x), region, 4));
  CHECK_FALSE(integrate_by_density(with_exponent(3, x * y * z), region, 4));
  CHECK_FALSE(integrate_by_density(with_exponent(3, -x * x), region, 12));
  CHECK_FALSE(integrate_by_density(with_exponent(2, -x * x), Polytope(2, cube(2, 0, 1)), 4));
}

}  // namespace
}  // namespace wmi::tests
