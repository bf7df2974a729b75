#include "solver/integrator.h"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("every integrator encloses the true integral") {
  const Polytope triangle(2, simplex(2));
  check_integral(1, triangle, ratio(1, 2));
  check_integral(2 * x, triangle, ratio(1, 3));
  check_integral(x * y, triangle, ratio(1, 24));  // 1! 1! / 4!
  check_integral(0, triangle, 0);
}

TEST_CASE("an integral is signed") {
  const Polytope square(2, cube(2, -1, 1));
  check_integral(x, square, 0);
  check_integral(-1 * x * x, square, ratio(-4, 3));
  check_integral(x * y + 1, square, 4);
}

TEST_CASE("all integrands are integrated at once, and the results are in their order") {
  const Polytope square(2, cube(2, 0, 1));
  const std::vector<Polynomial> integrands = {x * x, 0, 1, y, ratio(1, 3) * x * y, x * x};
  const std::vector<Rational> expected = {ratio(1, 3),  0,          1, ratio(1, 2),
                                          ratio(1, 12), ratio(1, 3)};
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    const std::vector<Interval> found = entry.make({})->integrate(integrands, square);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].contains(expected[i]));
    CHECK(entry.make({})->integrate({}, square).empty());
  }
}

TEST_CASE("an integral over a flat region is exactly 0") {
  const std::array integrands{Polynomial(7), x * y};
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    const Polytope flat(2, {{{1, 0}, 0}, {{-1, 0}, 0}, {{0, 1}, 1}, {{0, -1}, 0}});
    CHECK(entry.make({})->integrate(integrands, flat) == std::vector<Interval>(2, Interval(0)));
    const Polytope nothing(0, {{{}, -1}});
    CHECK(entry.make({})->integrate(std::array{Polynomial(7)}, nothing) ==
          std::vector<Interval>(1, Interval(0)));
  }
}

TEST_CASE("in 0 dimensions an integral is the value at the point") {
  check_integral(ratio(2, 7), Polytope(0, {}), ratio(2, 7));
  check_integral(0, Polytope(0, {}), 0);
}

TEST_CASE("in 1 dimension an integral is a difference of antiderivatives") {
  const Polytope interval(1, {{{3}, 1}, {{-2}, 1}});  // from -1/2 to 1/3
  // x^3/3: 1/81 + 1/24 = 35/648.
  check_integral(x * x, interval, ratio(35, 648));
}

TEST_CASE("degree 256 in one variable is exact") {
  const Polytope interval(1, cube(1, 0, 2));
  check_integral(power(x, 256), interval, power(Rational(2), 257) / 257);
}

TEST_CASE("degree 13 in four variables is exact") {
  // Dirichlet: the integral of x^m over the standard simplex is m! / (|m| + n)!.
  check_integral(monomial({4, 3, 3, 3}), Polytope(4, simplex(4)), 24 * 6 * 6 * 6 / factorial(17));
  check_integral(power(x + y + z + Polynomial::variable(3), 13), Polytope(4, cube(4, 0, 1)),
                 iterated(power(x + y + z + Polynomial::variable(3), 13), 4, cube(4, 0, 1)));
}

TEST_CASE("a polytope may have more than 64 vertices") {
  const Polytope cube7(7, cube(7, 0, 1));
  CHECK(cube7.vertices().size() == 128);
  check_integral(x * x + y, cube7, ratio(1, 3) + ratio(1, 2));
}

TEST_CASE("redundant and duplicate halfspaces change nothing") {
  std::vector<Halfspace> halfspaces = simplex(3);
  const Rational expected = exact(x * y * z + 1, Polytope(3, halfspaces));
  halfspaces.push_back({{2, 2, 2}, 2});
  halfspaces.push_back({{1, 0, 0}, 1});   // touches (1, 0, 0)
  halfspaces.push_back({{1, 1, 0}, 1});   // touches an edge
  halfspaces.push_back({{1, 1, 1}, 10});  // touches nothing
  check_integral(x * y * z + 1, Polytope(3, halfspaces), expected);
}

TEST_CASE("huge and tiny coordinates are exact") {
  const Rational huge = power(Rational(10), 40), tiny = 1 / huge;
  const Polytope sliver(2, box({huge, -tiny}, {huge + 1, tiny}));
  // (huge + 1/2) * 2 tiny
  check_integral(x, sliver, (huge + ratio(1, 2)) * 2 * tiny);
  check_integral(huge * y * y, sliver, huge * 2 * power(tiny, 3) / 3);
}

/// Halfspaces of the product of two regions.
std::vector<Halfspace> product(const std::vector<Halfspace>& a, const std::vector<Halfspace>& b) {
  const std::size_t first = a[0].normal.size(), second = b[0].normal.size();
  std::vector<Halfspace> result = a;
  for (Halfspace& halfspace : result) halfspace.normal.resize(first + second);
  for (Halfspace halfspace : b) {
    halfspace.normal.insert(halfspace.normal.begin(), first, 0);
    result.push_back(halfspace);
  }
  return result;
}

TEST_CASE("integrators agree on cells of arrangements, most of them degenerate") {
  const struct {
    std::size_t dimension;
    unsigned cells;
    unsigned degree;
  } cases[] = {{1, 500, 8}, {2, 1500, 6}, {3, 1200, 4}, {4, 250, 3},
               {5, 40, 2},  {6, 6, 1},    {7, 1, 1}};
  for (const auto& [n, cells, degree] : cases)
    for (unsigned seed = 1; seed <= cells; ++seed) {
      CAPTURE(n);
      CAPTURE(seed);
      RandomRegion random(seed);
      const int hyperplanes = static_cast<int>(n >= 6 ? 3 : 2 + seed % 6);
      const Polytope region(n, random.cell(n, hyperplanes, seed % 2 == 0 ? 1 : 9));
      check_agreement({random.dense(n, seed % (degree + 1))}, region);
    }
}

TEST_CASE("integrators agree on several integrands at once") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 4;
    std::vector<Polynomial> integrands;
    for (unsigned i = 0; i <= seed % 5; ++i) integrands.push_back(random.polynomial(n, 4, 3));
    check_agreement(integrands, Polytope(n, random.region(n, 3)));
  }
}

TEST_CASE("integrators agree on high degrees") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 2 + seed % 3;
    check_agreement({random.dense(n, 8)}, Polytope(n, random.cell(n, 4, 5)));
  }
}

TEST_CASE("integrators agree on cross-polytopes and products") {
  std::vector<std::vector<Halfspace>> regions;
  for (std::size_t n = 1; n <= 5; ++n) regions.push_back(cross_polytope(n));
  regions.push_back(product(cross_polytope(3), simplex(2)));
  regions.push_back(product(cross_polytope(2), cross_polytope(3)));
  regions.push_back(product(simplex(3), simplex(3)));
  regions.push_back(product(cross_polytope(3), cube(3, 0, ratio(1, 3))));
  regions.push_back(product(product(simplex(2), simplex(2)), cube(3, -1, 2)));
  for (const std::vector<Halfspace>& halfspaces : regions) {
    const std::size_t n = halfspaces[0].normal.size();
    CAPTURE(n);
    RandomRegion random(static_cast<unsigned>(n));
    check_agreement({random.dense(n, n < 6 ? 3 : 1)}, Polytope(n, halfspaces));
  }
}

TEST_CASE("integrators agree on coefficients of many digits") {
  for (unsigned seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 4;
    const unsigned digits = std::array{5u, 9u, 16u, 25u, 60u}[seed % 5];
    std::vector<Halfspace> halfspaces = cube(n, -1, 1);
    for (int i = 0; i < 3; ++i) {
      Halfspace cut{std::vector<Rational>(n), abs(random.long_number(digits))};
      for (Rational& entry : cut.normal) entry = random.long_number(digits);
      halfspaces.push_back(cut);
    }
    // In units that make all coordinates huge, or tiny.
    const Rational unit = power(Rational(10), digits);
    if (seed % 3 != 0)
      for (Halfspace& halfspace : halfspaces)
        halfspace.bound *= seed % 3 == 1 ? unit : Rational(1 / unit);
    check_agreement({random.dense(n, seed % 4)}, Polytope(n, halfspaces));
  }
}

TEST_CASE("an integrator can be used by several threads") {
  const Polytope region(3, cross_polytope(3));
  const Polynomial integrand = power(x + 2 * y + ratio(1, 3) * z, 8);
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Integrator> integrator = entry.make({});
    const std::vector<Interval> expected = integrator->integrate(std::array{integrand}, region);
    std::vector<int> right(4);
    std::vector<std::thread> threads;
    for (int& count : right)
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i)
          count += integrator->integrate(std::array{integrand}, region) == expected;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == std::vector<int>{20, 20, 20, 20});
  }
}

}  // namespace
}  // namespace wmi::tests
