#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/methods.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("closed forms equal the reference") {
  unsigned cut = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = seed % 50 == 0 ? 5 : 1 + seed % 4;
    const Point lower = random.numbers(n, 5);
    Point upper = lower;
    for (Rational& entry : upper) entry += abs(random.numbers(1, 4)[0]) + ratio(1, 7);
    std::vector<Halfspace> halfspaces = box(lower, upper);
    std::vector<Polynomial> integrands;
    if (seed % 3 == 0) {
      integrands = {1, random.polynomial(n, 5, 6)};
    } else {  // a halfspace through a point of the box, or two
      std::vector<Rational> normal = random.numbers(n, 3);
      if (std::count(normal.begin(), normal.end(), 0) == static_cast<std::ptrdiff_t>(n)) continue;
      Rational bound;
      for (std::size_t j = 0; j < n; ++j)
        bound += normal[j] * (lower[j] + (upper[j] - lower[j]) * ratio(random.number(4) + 4, 8));
      halfspaces.push_back({normal, bound});
      if (seed % 3 == 2) {
        Halfspace other{normal, ratio(random.number(3) + 4, 3) - bound};
        for (Rational& entry : other.normal) entry *= -1;
        halfspaces.push_back(other);
      }
      const Polynomial form = affine(normal, random.number(2));
      integrands = {2, power(form, 2) + 3 * form, power(form, 1 + seed % 4)};
    }
    const Polytope region(n, halfspaces);
    if (region.flat()) continue;
    const auto found = integrate_closed_form(integrands, region);
    if (!found) {  // a simplex, or nearly
      CHECK(8 * region.vertex_count() < std::size_t{1} << n);
      continue;
    }
    cut += seed % 3 != 0;
    CHECK(*found == make_triangulation({})->integrate(integrands, region));
  }
  CHECK(cut > 1000);
}

TEST_CASE("closed forms refuse other regions and integrands") {
  std::vector<Halfspace> halfspaces = cube(3, 0, 1);
  halfspaces.push_back({{1, 2, 3}, 4});
  const Polytope region(3, halfspaces);
  const Polynomial form = x + 2 * y + 3 * z;
  CHECK(integrate_closed_form(std::array{power(form, 3) + 1}, region).has_value());
  CHECK_FALSE(integrate_closed_form(std::array{x}, region).has_value());
  CHECK_FALSE(integrate_closed_form(std::array{power(form, 2) + x * y}, region).has_value());
  CHECK_FALSE(integrate_closed_form(std::array{power(form, 2) - 4 * y * y}, region).has_value());
  CHECK_FALSE(integrate_closed_form(std::array{form, y * z}, region).has_value());
  halfspaces.push_back({{-1, -2, 3}, 1});
  CHECK_FALSE(integrate_closed_form(std::array{Polynomial(1)}, Polytope(3, halfspaces)));
}

}  // namespace
}  // namespace wmi::tests
