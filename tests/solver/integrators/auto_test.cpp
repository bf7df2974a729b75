#include <doctest/doctest.h>

#include <array>

#include "solver/integrator.h"
#include "solver/integrators/cone_sums.h"
#include "solver/integrators/face_plan.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("the default comes first in the table") { CHECK(integrators()[0].name == "auto"); }

TEST_CASE("an integral that is 0 is exactly 0, also to a number of digits") {
  const Polytope square(2, cross_polytope(2));
  CHECK(make_auto({.digits = 10})->integrate(std::array{x}, square)[0] == Interval(0));
}

/// The cap `plan` with another value, while it lives.
class WithPlan {
 public:
  explicit WithPlan(std::size_t bytes) { caps::plan.set(bytes); }
  ~WithPlan() { caps::plan.set(caps::plan.standard()); }
  WithPlan(const WithPlan&) = delete;
  WithPlan& operator=(const WithPlan&) = delete;
};

TEST_CASE("where faces take too much memory, another method gives the same integrals") {
  RandomRegion random(61);
  int refused = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const std::size_t n = 2 + static_cast<std::size_t>(round) % 4;
    // Simple vertices, for cones, or degenerate ones, for the triangulation.
    const Polytope region(n, round % 2 == 0 ? random.region(n, 2) : random.cell(n, 5, 2));
    if (region.flat()) continue;
    const std::vector<Polynomial> integrands = {1, power(x - 2 * y, 5), power(x, 3) * y + 1};
    const std::vector<Interval> expected = make_face_lattice({})->integrate(integrands, region);
    for (const std::size_t bytes : {1u, 4'000u, 20'000u}) {
      const WithPlan lowered(bytes);
      CHECK(make_auto({})->integrate(integrands, region) == expected);
      const std::vector<Interval> enclosed =
          make_auto({.digits = 9})->integrate(integrands, region);
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(enclosed[i].contains(expected[i].lower));
      for (const auto make : {make_face_lattice, make_mpfr}) try {
          make({})->integrate(integrands, region);
        } catch (const PlanTooLarge&) {
          ++refused;
        }
    }
    CHECK(make_face_lattice({})->integrate(integrands, region) ==
          expected);  // nothing is left over
  }
  CHECK(refused > 40);
}

TEST_CASE("moments of high degree that take too much memory by every method are refused") {
  RandomRegion random(62);
  const Polytope region(3, random.region(3, 2));
  REQUIRE_FALSE(region.flat());
  const std::array integrands = {power(x + 2 * y + Polynomial::variable(2), 30)};
  const std::vector<Interval> expected = make_face_lattice({})->integrate(integrands, region);
  CHECK(make_auto({})->integrate(integrands, region) == expected);
  const WithPlan lowered(100'000);
  CHECK_THROWS_AS(make_auto({})->integrate(integrands, region), PlanTooLarge);
  CHECK_THROWS_AS(make_triangulation({})->integrate(integrands, region), PlanTooLarge);
  CHECK_THROWS_AS(integrate_by_cones(integrands, region), PlanTooLarge);
}

TEST_CASE("more than 100000 digits are refused") {
  CHECK_THROWS_WITH_AS(make_auto({.digits = 4'000'000'000}),
                       "4000000000 digits are more than 100000", Error);
  const Polytope region(3, cross_polytope(3));
  CHECK(make_auto({.digits = 2000})->integrate(std::array{x * x}, region)[0].exact());
}

}  // namespace
}  // namespace wmi::tests
