#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/methods.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("doubles rounded outwards enclose, and keep eleven digits of a volume") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 5;
    const Polytope region(n, random.cell(n, 4, seed % 2 == 0 ? 2 : 9));
    if (region.flat()) continue;
    const std::vector<Polynomial> integrands = {1, random.dense(n, 3)};
    const FacePlan plan(region);
    const std::vector<Interval> expected = integrate_faces(integrands, region, plan);
    const auto found = enclose_faces(integrands, region, plan);
    REQUIRE(found.has_value());
    CHECK((*found)[0].contains(expected[0].lower));
    CHECK((*found)[1].contains(expected[1].lower));
    CHECK((*found)[0].upper - (*found)[0].lower <= expected[0].lower / power(Rational(10), 11));
  }
}

TEST_CASE("doubles that leave their range give no result") {
  const Rational huge = power(Rational(10), 200);
  for (const Rational& size : {huge, Rational(1 / huge)}) {
    const Polytope region(2, simplex(2, size));
    const std::vector<Polynomial> integrands = {x * x};
    CHECK_FALSE(enclose_faces(integrands, region, FacePlan(region)).has_value());
    check_agreement(integrands, region);  // 2 size^4 / 4!
  }
  const Polytope region(2, simplex(2, power(huge, 3)));
  CHECK_FALSE(enclose_faces(std::array{x}, region, FacePlan(region)).has_value());
}

}  // namespace
}  // namespace wmi::tests
