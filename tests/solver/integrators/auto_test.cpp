#include <doctest/doctest.h>

#include <array>

#include "solver/integrator.h"
#include "solver/terms/error.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("the default comes first in the table") { CHECK(integrators()[0].name == "auto"); }

TEST_CASE("an integral that is 0 is exactly 0, also to a number of digits") {
  const Polytope square(2, cross_polytope(2));
  CHECK(make_auto({.digits = 10})->integrate(std::array{x}, square)[0] == Interval(0));
}

TEST_CASE("more than 100000 digits are refused") {
  CHECK_THROWS_WITH_AS(make_auto({.digits = 4'000'000'000}),
                       "4000000000 digits are more than 100000", Error);
  const Polytope region(3, cross_polytope(3));
  CHECK(make_auto({.digits = 2000})->integrate(std::array{x * x}, region)[0].exact());
}

}  // namespace
}  // namespace wmi::tests
