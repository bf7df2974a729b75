#include "solver/integrators/nested_integrals.h"

#include <doctest/doctest.h>

#include "solver/integrator.h"
#include "tests/solver/random_nested.h"

namespace wmi::tests {
namespace {

/// A box, of which the first two coordinates may be cut.
Region random_region(Random& random, std::size_t n) {
  std::vector<Halfspace> sides;
  for (std::size_t i = 0; i < n; ++i) {
    Point axis(n);
    axis[i] = 1;
    sides.push_back({axis, ratio(random.integer(1, 20), 7)});
    axis[i] = -1;
    sides.push_back({axis, ratio(random.integer(0, 5), 7)});
  }
  if (n > 1 && random.chance(60)) {
    Point normal(n);
    normal[0] = random.integer(1, 5);
    normal[1] = random.integer(-5, 5);
    sides.push_back({normal, ratio(random.integer(1, 9), 4)});
  }
  return make_region(n, sides);
}

TEST_CASE("integrals of nested weights enclose those of the weights multiplied out") {
  Random random(15);
  CAPTURE(random.seed());
  const std::unique_ptr<Integrator> reference = make_triangulation({});
  const NestedIntegrals integrals;
  int answered = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const auto n = static_cast<std::size_t>(random.integer(1, 3));
    const Region region = random_region(random, n);
    if (region.flat) continue;
    const NestedPolynomial weight = random_nested(random, n, random.integer(1, 3));
    const Polynomial x = Polynomial::variable(0), last = Polynomial::variable(Variable(n - 1));
    const std::vector<Polynomial> factors = {1, x - last * last + ratio(1, 3)};
    std::vector<Halfspace> sides;
    for (const Region::Factor& factor : region.factors)
      for (const Halfspace& side : factor.polytope.halfspaces()) {
        Point normal(n);
        for (std::size_t i = 0; i < side.normal.size(); ++i)
          normal[factor.coordinates[i]] = side.normal[i];
        sides.push_back({normal, side.bound});
      }
    const Polytope whole(n, sides);
    const Polynomial product = expanded(weight);
    const std::vector<Interval> expected =
        reference->integrate(std::vector{product, product * factors[1]}, whole);
    for (const unsigned digits : {6u, 30u}) {
      const auto found = integrals(weight, factors, region, digits);
      if (!found) {
        CHECK((expected[0].lower == 0 || expected[1].lower == 0));
        continue;
      }
      ++answered;
      for (std::size_t i = 0; i < factors.size(); ++i) {
        CHECK((*found)[i].contains(expected[i].lower));
        CHECK(has_digits((*found)[i], digits));
      }
    }
  }
  CHECK(answered > 150);
}

TEST_CASE("a weight of high degree has the digits that it is asked for") {
  // The integral of (x (1 - x))^90 (1 - 2 x)^70 over [0, 1] is a sum of beta functions; its
  // coefficients add up to far more than 2^200 times its value.
  const Polynomial x = Polynomial::variable(0), s = Polynomial::variable(1);
  const Polynomial t = Polynomial::variable(2);
  const NestedPolynomial weight{1, {x - x * x, 1 - 2 * x, power(s, 90) * power(t, 70)}};
  const Region region = make_region(1, {{{1}, 1}, {{-1}, 0}});
  const auto exact =
      make_triangulation({})->integrate(std::vector{expanded(weight)}, region.factors[0].polytope);
  const auto found = NestedIntegrals()(weight, std::vector<Polynomial>{1}, region, 12);
  REQUIRE(found);
  CHECK((*found)[0].contains(exact[0].lower));
  CHECK(has_digits((*found)[0], 12));
}

TEST_CASE("weights with too many monomials are left to others") {
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1),
                   z = Polynomial::variable(2), s = Polynomial::variable(3);
  const NestedPolynomial weight{3, {x + y + z, power(s, 200)}};
  const Region cube = make_region(3, {{{1, 0, 0}, 1},
                                      {{-1, 0, 0}, 0},
                                      {{0, 1, 0}, 1},
                                      {{0, -1, 0}, 0},
                                      {{0, 0, 1}, 1},
                                      {{0, 0, -1}, 0}});
  CHECK_FALSE(NestedIntegrals()(weight, std::vector<Polynomial>{1}, cube, 6));
}

}  // namespace
}  // namespace wmi::tests
