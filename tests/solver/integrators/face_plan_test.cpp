#include "solver/integrators/face_plan.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

/// n! times the volume, by the recurrence I(F) = 1/q_v sum of weight(F,G) I(G).
Rational scaled_volume(const Polytope& region, const FacePlan& plan) {
  std::vector<Rational> values;
  for (const FacePlan::Face& face : plan.faces()) {
    Rational sum = face.first == face.last ? 1 : 0;
    for (std::size_t i = face.first; i < face.last; ++i) {
      REQUIRE(plan.part(i) < values.size());  // parts come first
      CHECK(plan.weights()[i] > 0);
      sum += plan.weights()[i] * values[plan.part(i)];
    }
    values.push_back(sum / region.homogeneous_vertices()[face.apex * (region.dimension() + 1)]);
  }
  return values.back() * plan.scale();
}

TEST_CASE("the recurrence of a plan gives the volume") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 5;
    const Polytope region(n, random.cell(n, 4, seed % 2 == 0 ? 2 : 9));
    if (region.flat()) continue;
    CHECK(scaled_volume(region, FacePlan(region)) ==
          factorial(static_cast<unsigned>(n)) * exact(1, region));
  }
}

TEST_CASE("faces are shared: a cube of n dimensions has at most 3^n of them") {
  for (std::size_t n = 1; n <= 7; ++n) {
    const Polytope region(n, cube(n, 0, 1));
    const FacePlan plan(region);
    std::size_t most = 1;
    for (std::size_t j = 0; j < n; ++j) most *= 3;
    CHECK(plan.faces().size() <= most);
    CHECK(plan.slots() <= plan.faces().size());
    CHECK(scaled_volume(region, plan) == factorial(static_cast<unsigned>(n)));
  }
}

TEST_CASE("numbers that outgrow words and pairs of words stay exact") {
  for (const unsigned digits : {5u, 12u, 25u, 60u}) {
    CAPTURE(digits);
    const Rational size = power(Rational(10), digits) / 7;
    const Polytope region(3, simplex(3, size));
    CHECK(scaled_volume(region, FacePlan(region)) == power(size, 3));
  }
}

}  // namespace
}  // namespace wmi::tests
