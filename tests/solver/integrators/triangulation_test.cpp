#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "solver/integrator.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("random polytopes agree with iterated integration") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 3;
    const std::vector<Halfspace> halfspaces = random.region(n, n == 3 ? 2 : 4);
    const Polynomial integrand = random.polynomial(n, 4, 4);
    check_integral(integrand, Polytope(n, halfspaces), iterated(integrand, n, halfspaces));
  }
}

TEST_CASE("degenerate polytopes agree with iterated integration") {
  std::vector<Halfspace> cut_cube = cube(3, 0, 1);
  cut_cube.push_back({{1, 1, 1}, 2});
  cut_cube.push_back({{1, 1, -1}, 1});
  for (const std::vector<Halfspace>& halfspaces : {cross_polytope(3), cut_cube}) {
    const Polynomial integrand = power(x + 2 * y - z, 3) + x * x * y * y;
    check_integral(integrand, Polytope(3, halfspaces), iterated(integrand, 3, halfspaces));
  }
}

TEST_CASE("a cut by a random hyperplane keeps the sum") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 2 + seed % 4;
    std::vector<Halfspace> below = seed % 3 == 0 && n < 5 ? cross_polytope(n) : random.region(n, 3);
    std::vector<Halfspace> above = below;
    const Polynomial integrand = random.polynomial(n, 5, 6);
    const Rational expected = exact(integrand, Polytope(n, below));
    // Now and then through vertices: integer coefficients, and a bound 0.
    Halfspace cut = random.halfspace(n);
    if (seed % 2 == 0) cut.bound = 0;
    below.push_back(cut);
    for (Rational& entry : cut.normal) entry = -entry;
    cut.bound = -cut.bound;
    if (std::count(cut.normal.begin(), cut.normal.end(), 0) == static_cast<std::ptrdiff_t>(n))
      continue;
    above.push_back(cut);
    CHECK(exact(integrand, Polytope(n, below)) + exact(integrand, Polytope(n, above)) == expected);
  }
}

TEST_CASE("an affine map scales an integral by its determinant") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 2 + seed % 3;
    const std::vector<Halfspace> halfspaces = random.region(n, 2);
    const Polynomial integrand = random.polynomial(n, 3, 4);
    // x_j = d_j u_j + c_j + sum over k > j of a_jk u_k, whose determinant is prod d_j.
    std::vector<std::vector<Rational>> matrix;
    const Point shift = random.numbers(n, 3);
    Rational determinant = 1;
    for (std::size_t j = 0; j < n; ++j) {
      matrix.push_back(random.numbers(n, 2));
      for (std::size_t k = 0; k < j; ++k) matrix[j][k] = 0;
      matrix[j][j] = ratio(random.number(2) * 2 + 1, 3);
      determinant *= abs(matrix[j][j]);
    }
    std::vector<Halfspace> mapped;
    for (const Halfspace& halfspace : halfspaces) {
      mapped.push_back({std::vector<Rational>(n), halfspace.bound});
      for (std::size_t j = 0; j < n; ++j) {
        mapped.back().bound -= halfspace.normal[j] * shift[j];
        for (std::size_t k = 0; k < n; ++k)
          mapped.back().normal[k] += halfspace.normal[j] * matrix[j][k];
      }
    }
    const Polynomial substituted =
        integrand.substitute([&](Variable j) { return affine(matrix[j], shift[j]); });
    CHECK(exact(integrand, Polytope(n, halfspaces)) ==
          determinant * exact(substituted, Polytope(n, mapped)));
  }
}

TEST_CASE("a box gives the product of its one-dimensional integrals") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 5;
    const Point lower = random.numbers(n, 5);
    Point upper = lower;
    std::vector<unsigned> exponents(n);
    Rational expected = 1;
    for (std::size_t j = 0; j < n; ++j) {
      upper[j] += abs(random.numbers(1, 4)[0]) + ratio(1, 7);
      exponents[j] = static_cast<unsigned>(random.number(2) + 2);
      const unsigned raised = exponents[j] + 1;
      expected *= (power(upper[j], raised) - power(lower[j], raised)) / raised;
    }
    check_integral(monomial(exponents), Polytope(n, box(lower, upper)), expected);
  }
}

TEST_CASE("a standard simplex gives Dirichlet's integral") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 6;
    const Rational size = abs(random.numbers(1, 9)[0]) + 1;
    std::vector<unsigned> exponents(n);
    Rational expected = 1;
    unsigned degree = static_cast<unsigned>(n);
    for (unsigned& exponent : exponents) {
      exponent = static_cast<unsigned>(random.number(2) + 2);
      expected *= factorial(exponent);
      degree += exponent;
    }
    expected *= power(size, degree) / factorial(degree);
    check_integral(monomial(exponents), Polytope(n, simplex(n, size)), expected);
  }
}

TEST_CASE("a cross-polytope is 2^n simplices") {
  for (std::size_t n = 1; n <= 5; ++n) {
    CAPTURE(n);
    const Polytope polytope(n, cross_polytope(n));
    const Rational orthants = power(Rational(2), static_cast<unsigned>(n));
    const unsigned m = static_cast<unsigned>(n);
    check_integral(1, polytope, orthants / factorial(m));
    check_integral(x * x, polytope, orthants * 2 / factorial(m + 2));
    check_integral(power(x, 3), polytope, 0);
  }
}

TEST_CASE("a pyramid is a third of its prism") {
  const Polytope pyramid(
      3, {{{1, 0, 1}, 1}, {{-1, 0, 1}, 1}, {{0, 1, 1}, 1}, {{0, -1, 1}, 1}, {{0, 0, -1}, 0}});
  check_integral(1, pyramid, ratio(4, 3));
  check_integral(z, pyramid, ratio(1, 3));  // 4 z (1-z)^2 from 0 to 1: 4 (1/2 - 2/3 + 1/4)
}

TEST_CASE("a cube cut through three corners loses a sixth") {
  std::vector<Halfspace> halfspaces = cube(3, 0, 1);
  halfspaces.push_back({{1, 1, 1}, 2});
  check_integral(1, Polytope(3, halfspaces), ratio(5, 6));
  halfspaces.push_back({{-1, -1, -1}, -1});
  check_integral(1, Polytope(3, halfspaces), ratio(2, 3));
}

}  // namespace
}  // namespace wmi::tests
