#include "solver/integrator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "solver/integrators/limbs.h"
#include "solver/integrators/methods.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0);
const Polynomial y = Polynomial::variable(1);
const Polynomial z = Polynomial::variable(2);

/// x_j >= 0 and x_1 + ... + x_n <= size.
std::vector<Halfspace> simplex(std::size_t dimension, const Rational& size = 1) {
  std::vector<Halfspace> result;
  for (std::size_t j = 0; j < dimension; ++j) {
    result.push_back({std::vector<Rational>(dimension), 0});
    result.back().normal[j] = -1;
  }
  result.push_back({std::vector<Rational>(dimension, 1), size});
  return result;
}

/// lower[j] <= x_j <= upper[j].
std::vector<Halfspace> box(const Point& lower, const Point& upper) {
  std::vector<Halfspace> result;
  for (std::size_t j = 0; j < lower.size(); ++j) {
    std::vector<Rational> up(lower.size()), down(lower.size());
    up[j] = 1, down[j] = -1;
    result.push_back({down, -lower[j]});
    result.push_back({up, upper[j]});
  }
  return result;
}

std::vector<Halfspace> cube(std::size_t dimension, const Rational& lower, const Rational& upper) {
  return box(Point(dimension, lower), Point(dimension, upper));
}

/// |x_1| + ... + |x_n| <= 1.
std::vector<Halfspace> cross_polytope(std::size_t dimension) {
  std::vector<Halfspace> result;
  for (unsigned signs = 0; signs < 1u << dimension; ++signs) {
    result.push_back({std::vector<Rational>(dimension), 1});
    for (std::size_t j = 0; j < dimension; ++j) result.back().normal[j] = signs >> j & 1 ? 1 : -1;
  }
  return result;
}

Rational factorial(unsigned n) { return n == 0 ? Rational(1) : n * factorial(n - 1); }

Polynomial monomial(const std::vector<unsigned>& exponents) {
  Monomial result;
  for (Variable j = 0; j < exponents.size(); ++j)
    if (exponents[j] > 0) result.push_back({j, exponents[j]});
  return Polynomial({{result, 1}});
}

Rational exact(const Polynomial& integrand, const Polytope& region) {
  const Interval found = make_triangulation({})->integrate(std::array{integrand}, region)[0];
  CHECK(found.exact());
  return found.lower;
}

/// The reference finds `expected`, and every other integrator encloses it.
void check_integral(const Polynomial& integrand, const Polytope& region, const Rational& expected) {
  CHECK(exact(integrand, region) == expected);
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    CHECK(entry.make({})->integrate(std::array{integrand}, region)[0].contains(expected));
  }
}

/// Every integrator finds what the reference finds: all exactly but mpfr.
void check_agreement(const std::vector<Polynomial>& integrands, const Polytope& region) {
  const std::vector<Interval> expected = make_triangulation({})->integrate(integrands, region);
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    const std::vector<Interval> found = entry.make({})->integrate(integrands, region);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].contains(expected[i].lower));
      if (entry.name != "mpfr") CHECK(found[i] == expected[i]);
    }
  }
  for (const unsigned digits : {4u, 10u, 25u}) {
    CAPTURE(digits);
    const std::vector<Interval> found =
        make_auto({.digits = digits})->integrate(integrands, region);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].contains(expected[i].lower));
      CHECK((found[i].upper - found[i].lower) * power(Rational(10), digits) <=
            abs(expected[i].lower));
    }
  }
}

/// The affine form  constant + sum of coefficient[j] * x_j.
Polynomial affine(const std::vector<Rational>& coefficients, const Rational& constant) {
  Polynomial result = constant;
  for (Variable j = 0; j < coefficients.size(); ++j)
    result += coefficients[j] * Polynomial::variable(j);
  return result;
}

/// Iterated integration without any geometry: for each pair of a lower and an upper bound of the
/// last variable, integrate from one to the other where these two are the tightest. Bounds that
/// are the same function are used once, so the pieces overlap nowhere. Exponential, and shares
/// nothing with what it tests.
Rational iterated(const Polynomial& integrand, std::size_t dimension,
                  const std::vector<Halfspace>& halfspaces) {
  using Bound = std::pair<std::vector<Rational>, Rational>;  // sum of first . x, plus second
  if (dimension == 0) {
    for (const Halfspace& halfspace : halfspaces)
      if (halfspace.bound < 0) return 0;
    return integrand.constant_term();
  }
  const std::size_t last = dimension - 1;
  std::vector<Halfspace> others;
  std::vector<Bound> lower, upper;
  for (const Halfspace& halfspace : halfspaces) {
    const Rational& head = halfspace.normal[last];
    const std::vector<Rational> rest(halfspace.normal.begin(), halfspace.normal.end() - 1);
    if (head == 0) {
      others.push_back({rest, halfspace.bound});
      if (std::count(rest.begin(), rest.end(), 0) == static_cast<std::ptrdiff_t>(last) &&
          halfspace.bound < 0)
        return 0;
      continue;
    }
    Bound bound{rest, halfspace.bound / head};
    for (Rational& entry : bound.first) entry = -entry / head;
    std::vector<Bound>& side = head > 0 ? upper : lower;
    if (std::find(side.begin(), side.end(), bound) == side.end()) side.push_back(bound);
  }
  Polynomial antiderivative;
  for (const Polynomial::Term& term : integrand.terms()) {
    Monomial raised = term.monomial;
    if (raised.empty() || raised.back().variable != last)
      raised.push_back({static_cast<Variable>(last), 0});
    const Rational coefficient = term.coefficient / ++raised.back().exponent;
    antiderivative += Polynomial({{raised, coefficient}});
  }
  const auto at = [&](const Bound& bound) {
    return antiderivative.substitute([&](Variable variable) {
      return variable == last ? affine(bound.first, bound.second) : Polynomial::variable(variable);
    });
  };
  const auto at_most = [&](const Bound& a, const Bound& b) {
    Halfspace result{a.first, b.second - a.second};
    for (std::size_t j = 0; j < last; ++j) result.normal[j] -= b.first[j];
    return result;
  };
  Rational sum;
  for (const Bound& from : lower)
    for (const Bound& to : upper) {
      std::vector<Halfspace> piece = others;
      piece.push_back(at_most(from, to));
      for (const Bound& other : lower)
        if (other != from) piece.push_back(at_most(other, from));
      for (const Bound& other : upper)
        if (other != to) piece.push_back(at_most(to, other));
      sum += iterated(at(to) - at(from), last, piece);
    }
  return sum;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  /// From -size to size.
  int number(int size) { return static_cast<int>(engine_() % (2 * size + 1)) - size; }

  std::vector<Rational> numbers(std::size_t count, int size) {
    std::vector<Rational> result(count);
    for (Rational& entry : result) entry = ratio(number(size), 1 + engine_() % 3);
    return result;
  }

  Halfspace halfspace(std::size_t dimension) {
    return {numbers(dimension, 3), ratio(number(4), 2)};
  }

  /// A box with some corners cut off; may be flat.
  std::vector<Halfspace> region(std::size_t dimension, int cuts) {
    std::vector<Halfspace> result = cube(dimension, -1, ratio(3, 2));
    for (int i = 0; i < cuts; ++i) {
      result.push_back(halfspace(dimension));
      result.back().bound = abs(result.back().bound) + ratio(1, 2);
    }
    return result;
  }

  /// A cell of an arrangement in the cube [-1, 1]^n: that of a random point. Many hyperplanes go
  /// through the origin or through vertices of the cube, and some are parallel.
  std::vector<Halfspace> cell(std::size_t dimension, int hyperplanes, int size) {
    std::vector<Halfspace> result = cube(dimension, -1, 1);
    Point point(dimension);
    for (Rational& entry : point) entry = ratio(number(997), 1000);
    std::vector<Rational> normal(dimension);
    for (int i = 0; i < hyperplanes; ++i) {
      if (i % 3 != 2)  // otherwise parallel to the last
        for (Rational& entry : normal) entry = number(size);
      Halfspace cut{normal, ratio(number(2) * number(size), 2)};
      Rational value;
      for (std::size_t j = 0; j < dimension; ++j) value += normal[j] * point[j];
      if (value > cut.bound) {
        for (Rational& entry : cut.normal) entry = -entry;
        cut.bound = -cut.bound;
      }
      result.push_back(cut);
    }
    return result;
  }

  /// A number of so many digits, perhaps negative.
  Rational long_number(unsigned digits) {
    Integer result;
    for (unsigned i = 0; i < digits; ++i) result = result * 10 + engine_() % 10;
    return engine_() % 2 == 0 ? result : -result;
  }

  /// All monomials up to a degree.
  Polynomial dense(std::size_t dimension, unsigned degree) {
    Polynomial sum = 1;
    for (Variable j = 0; j < dimension; ++j) sum += Polynomial::variable(j);
    std::vector<Polynomial::Term> terms = power(sum, degree).terms();
    for (Polynomial::Term& term : terms) term.coefficient = numbers(1, 9)[0] + ratio(1, 5);
    return Polynomial(terms);
  }

  Polynomial polynomial(std::size_t dimension, unsigned degree, int terms) {
    Polynomial result;
    for (int i = 0; i < terms; ++i) {
      Polynomial term = numbers(1, 9)[0];
      for (unsigned d = engine_() % (degree + 1); d > 0; --d)
        term = term * Polynomial::variable(static_cast<Variable>(engine_() % dimension));
      result += term;
    }
    return result;
  }

 private:
  std::mt19937 engine_;
};

TEST_CASE("the default comes first in the table") { CHECK(integrators()[0].name == "auto"); }

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

TEST_CASE("all integrands are integrated at once, and each keeps its place") {
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

TEST_CASE("high powers of single variables do not need their mixed moments") {
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

TEST_CASE("a box gives the product of its one-dimensional integrals") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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
    Random random(seed);
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

TEST_CASE("more than 64 vertices are no obstacle") {
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

TEST_CASE("random polytopes agree with iterated integration") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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
    Random random(seed);
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
      Random random(seed);
      const int hyperplanes = static_cast<int>(n >= 6 ? 3 : 2 + seed % 6);
      const Polytope region(n, random.cell(n, hyperplanes, seed % 2 == 0 ? 1 : 9));
      check_agreement({random.dense(n, seed % (degree + 1))}, region);
    }
}

TEST_CASE("integrators agree on several integrands at once") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 1 + seed % 4;
    std::vector<Polynomial> integrands;
    for (unsigned i = 0; i <= seed % 5; ++i) integrands.push_back(random.polynomial(n, 4, 3));
    check_agreement(integrands, Polytope(n, random.region(n, 3)));
  }
}

TEST_CASE("integrators agree on high degrees") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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
    Random random(static_cast<unsigned>(n));
    check_agreement({random.dense(n, n < 6 ? 3 : 1)}, Polytope(n, halfspaces));
  }
}

TEST_CASE("integrators agree on coefficients of many digits") {
  for (unsigned seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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

TEST_CASE("doubles rounded outwards enclose, and keep eleven digits of a volume") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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

TEST_CASE("doubles that leave their range are not trusted") {
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

TEST_CASE("an integral that is 0 is found to be 0 where digits are asked for") {
  const Polytope square(2, cross_polytope(2));
  CHECK(make_auto({.digits = 10})->integrate(std::array{x}, square)[0] == Interval(0));
}

TEST_CASE("closed forms give what the reference gives") {
  unsigned cut = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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

TEST_CASE("closed forms leave alone what is not of their form") {
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

TEST_CASE("numbers of a fixed width multiply as integers do, modulo their width") {
  std::mt19937_64 engine(1);
  const auto random_integer = [&](std::size_t width) {
    Integer result;
    for (std::size_t i = 0; i < width; ++i) {
      const std::uint64_t kind = engine() % 4;
      result <<= 64;
      result += kind == 0 ? 0ul : kind == 1 ? ~0ul : static_cast<unsigned long>(engine());
    }
    mpz_fdiv_q_2exp(result.get_mpz_t(), result.get_mpz_t(), 1);  // leave room for a sign
    return engine() % 2 == 0 ? result : Integer(-result);
  };
  const auto modulo = [](const Integer& value, std::size_t width) {
    Integer result, half = Integer(1) << (64 * width - 1);
    mpz_fdiv_r_2exp(result.get_mpz_t(), Integer(value + half).get_mpz_t(), 64 * width);
    return Integer(result - half);
  };
  const auto load = [](std::vector<limbs::Limb>& number) {
    Integer result;
    limbs::load(result, number.data(), number.size());
    return result;
  };
  for (int i = 0; i < 20'000; ++i) {
    CAPTURE(i);
    const bool large = i % 20 == 0;
    const std::size_t width = 1 + engine() % (large ? 90 : 9);
    const std::size_t size = 1 + engine() % (large ? 60 : 6);
    const std::size_t factor_size = 1 + engine() % (large ? 60 : 4);
    const Integer target = random_integer(width), number = random_integer(size),
                  factor = random_integer(factor_size);
    std::vector<limbs::Limb> to(width), from(size), by(factor_size);
    limbs::store(from.data(), size, number);
    limbs::store(to.data(), width, target);
    limbs::store(by.data(), factor_size, factor);
    limbs::add_signed_product(to.data(), width, from.data(), size, by.data(), factor_size);
    CHECK(load(to) == modulo(target + number * factor, width));

    const Integer positive = abs(factor) + 1;
    limbs::store(to.data(), width, target);
    limbs::add_product(to.data(), width, from.data(), size, mpz_limbs_read(positive.get_mpz_t()),
                       mpz_size(positive.get_mpz_t()));
    CHECK(load(to) == modulo(target + number * positive, width));

    const auto word = static_cast<std::int64_t>(engine()) >> engine() % 64;
    limbs::with_width(width, [&](auto constant) {
      if constexpr (constexpr std::size_t fixed = decltype(constant)::value; fixed > 0) {
        limbs::Limb same[fixed];
        limbs::extend(same, fixed, from.data(), size);
        limbs::store(to.data(), width, target);
        limbs::add_product<fixed>(to.data(), same, word);
        CHECK(load(to) == modulo(target + number * Integer(static_cast<long>(word)), width));
        limbs::store(to.data(), width, target);
        limbs::add_product<fixed>(to.data(), from.data(), size,
                                  mpz_limbs_read(positive.get_mpz_t()),
                                  mpz_size(positive.get_mpz_t()));
        CHECK(load(to) == modulo(target + number * positive, width));
      }
    });
    limbs::store(to.data(), width, target);
    limbs::add_product(to.data(), width, from.data(), size, word);
    CHECK(load(to) == modulo(target + number * Integer(static_cast<long>(word)), width));
  }
}

TEST_CASE("an affine map scales an integral by its determinant") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
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

TEST_CASE("mpfr encloses the exact value narrowly at every precision") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 1 + seed % 4;
    const Polytope region(n, random.region(n, 3));
    const Polynomial integrand = random.polynomial(n, 6, 5);
    const Rational expected = exact(integrand, region);
    for (const unsigned precision : {24u, 53u, 128u}) {
      CAPTURE(precision);
      const Interval found = make_mpfr({precision})->integrate(std::array{integrand}, region)[0];
      CHECK(found.contains(expected));
      // Integrand and region are of size 10^6 at most: 36 bits, and a few for the roundings.
      CHECK(found.upper - found.lower <= power(Rational(2), 40) / power(Rational(2), precision));
    }
  }
}

TEST_CASE("mpfr keeps nearly all digits of a positive integral") {
  const Polytope region(4, simplex(4));
  const Polynomial integrand = power(x + y + z, 9) + ratio(1, 3);
  const Rational expected = exact(integrand, region);
  for (const unsigned precision : {24u, 53u, 128u}) {
    CAPTURE(precision);
    const Interval found = make_mpfr({precision})->integrate(std::array{integrand}, region)[0];
    CHECK(found.contains(expected));
    CHECK((found.upper - found.lower) / expected <=
          power(Rational(2), 8) / power(Rational(2), precision));
  }
}

TEST_CASE("mpfr returns numbers of the precision asked for") {
  const Polytope third(1, {{{3}, 1}, {{-1}, 0}});
  const Interval found = make_mpfr({8})->integrate(std::array{Polynomial(1)}, third)[0];
  CHECK_FALSE(found.exact());
  CHECK(found.contains(ratio(1, 3)));
  CHECK(found == Interval(ratio(170, 512), ratio(171, 512)));
}

TEST_CASE("a precision without meaning is refused") {
  CHECK_THROWS_WITH_AS(make_mpfr({0}), "a precision of 0 bits is not between 2 and 1000000", Error);
  CHECK_THROWS_AS(make_mpfr({4'000'000'000}), Error);
}

TEST_CASE("more digits than anyone reads are refused") {
  CHECK_THROWS_WITH_AS(make_auto({.digits = 4'000'000'000}),
                       "4000000000 digits are more than 100000", Error);
  const Polytope region(3, cross_polytope(3));
  CHECK(make_auto({.digits = 2000})->integrate(std::array{x * x}, region)[0].exact());
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
}  // namespace wmi
