#include "solver/integrators/simplex_moments.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "solver/integrator.h"
#include "solver/terms/error.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("high powers of single variables need no mixed moments") {
  // All mixed moments would be more than 10^17.
  Polynomial sum;
  for (Variable j = 0; j < 8; ++j) sum += power(Polynomial::variable(j), 200);
  check_integral(sum, Polytope(8, simplex(8)), 8 * factorial(200) / factorial(208));
}

TEST_CASE("an integrand that needs too many moments is refused") {
  const Polytope region(10, simplex(10));
  for (const IntegratorEntry& entry : integrators())
    CHECK_THROWS_WITH_AS(
        entry.make({})->integrate(std::array{monomial(std::vector<unsigned>(10, 20))}, region),
        "an integrand of degree 200 in 10 variables needs more than 500000 moments; lower its "
        "degree",
        Error);
}

}  // namespace
}  // namespace wmi::tests
