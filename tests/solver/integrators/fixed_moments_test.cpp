#include "solver/integrators/fixed_moments.h"

#include <doctest/doctest.h>

#include <cmath>

#include "solver/integrator.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

/// A box around 0, cut by random halfspaces.
Polytope random_polytope(Random& random, std::size_t n) {
  std::vector<Halfspace> sides;
  for (std::size_t i = 0; i < n; ++i) {
    Point axis(n);
    axis[i] = 1;
    sides.push_back({axis, ratio(random.integer(1, 7), 3)});
    axis[i] = -1;
    sides.push_back({axis, ratio(random.integer(0, 7), 3)});
  }
  for (int cut = random.integer(0, 3); cut > 0; --cut) {
    Point normal(n);
    for (Rational& entry : normal) entry = random.integer(-9, 9);
    sides.push_back({normal, ratio(random.integer(1, 19), 3)});
  }
  return Polytope(n, sides);
}

template <std::size_t width>
void check_moments(Random& random) {
  const std::unique_ptr<Integrator> reference = make_triangulation({});
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const auto n = static_cast<std::size_t>(random.integer(1, 4));
    const Polytope region = random_polytope(random, n);
    if (region.flat()) continue;
    std::vector<unsigned> degrees;
    for (std::size_t i = 0; i < n; ++i) degrees.push_back(unsigned(random.integer(0, 4)));
    const std::vector<long> scales(n, 2);  // coordinates are below 4
    const auto found =
        fixed_moments<width>(region, scales, MonomialRows(degrees, unsigned(random.integer(0, 7))));
    std::vector<Polynomial> monomials;
    for (const MonomialRows::Row& row : found.monomials.rows())
      for (unsigned k = 0; k < row.length; ++k) {
        Polynomial monomial(1);
        for (std::size_t i = 0; i < n; ++i)
          monomial = monomial * power(Polynomial::variable(Variable(i)) * Polynomial(ratio(1, 4)),
                                      i + 1 < n ? row.exponents[i] : k);
        monomials.push_back(std::move(monomial));
      }
    const std::vector<Interval> expected = reference->integrate(monomials, region);
    REQUIRE(found.exponent < 0);
    Rational unit(found.scale);
    unit >>= static_cast<mp_bitcnt_t>(-found.exponent);
    for (std::size_t m = 0; m < expected.size(); ++m) {
      const Rational error = expected[m].lower / unit - fixed_point::integer(found.numbers[m]);
      CHECK(abs(error) <= Rational(found.error));
    }
    CHECK(found.error < 1e6);
    CHECK(expected[0].lower / unit > Integer(1) << (64 * width - 40));  // most bits are used
  }
}

TEST_CASE("rounded moments are within their error of those of the triangulation") {
  Random random(14);
  CAPTURE(random.seed());
  check_moments<4>(random);
  check_moments<8>(random);
  check_moments<16>(random);
}

}  // namespace
}  // namespace wmi::tests
