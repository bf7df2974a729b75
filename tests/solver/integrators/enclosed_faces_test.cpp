#include "solver/integrators/enclosed_faces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "solver/integrators/methods.h"
#include "tests/solver/integrators/enclosed_regions.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

std::vector<Interval> exact_integrals(const std::vector<Polynomial>& integrands,
                                      const Polytope& region) {
  return integrate_faces(integrands, region, FacePlan(region));
}

Rational exact_volume(const Polytope& region) {
  return exact_integrals({Polynomial(1)}, region)[0].lower;
}

bool holds(const DoubleInterval& found, const Rational& value) {
  return Rational(found.lower) <= value && value <= Rational(found.upper);
}

/// (upper - lower) / value
double relative_width(const DoubleInterval& found, const Rational& value) {
  return Rational((Rational(found.upper) - Rational(found.lower)) / value).get_d();
}

Point centroid(const Polytope& region) {
  Point result(region.dimension());
  for (const Point& vertex : region.vertices())
    for (std::size_t j = 0; j < result.size(); ++j)
      result[j] += vertex[j] / Rational(region.vertex_count());
  return result;
}

/// Away from a point in all coordinates, or towards it.
Move away_from(const Point& point, int sign) {
  return [=](const Point& vertex, std::size_t j) {
    return Rational(vertex[j] > point[j] ? sign : -sign);
  };
}

Move at_random(RandomRegion& random) {
  return [&random](const Point&, std::size_t) { return ratio(random.number(16), 16); };
}

/// Shapes that are hard in different ways, in coordinates from -1 to 3/2.
std::vector<Halfspace> random_shape(RandomRegion& random, std::size_t n, unsigned kind) {
  const auto between = [&](std::vector<Halfspace> region, const Rational& width, int slabs) {
    for (int i = 0; i < slabs; ++i) {
      Halfspace plane{random.numbers(n, 3), ratio(random.number(8), 16)};
      if (std::ranges::all_of(plane.normal, [](const Rational& entry) { return entry == 0; }))
        plane.normal[0] = 1;
      region.push_back(plane);
      for (Rational& entry : plane.normal) entry = -entry;
      plane.bound = width - plane.bound;
      region.push_back(plane);
    }
    return region;
  };
  const int cuts = n <= 3 ? 7 : n <= 4 ? 4 : 2;
  switch (kind % 10) {
    case 0:
      return random.cell(n, cuts, 9);
    case 1:
      return random.cell(n, cuts, 2);  // hyperplanes through vertices
    case 2:
      return random.cell(n, cuts + 1, 1);
    case 3:
      return random.region(n, cuts);
    case 4:
      return n <= 4 ? cross_polytope(n) : simplex(n);
    case 5:
      return between(cube(n, -1, 1), ratio(1, 1'000'000'000), 1);  // thin slabs
    case 6:
      return between(cube(n, -1, 1), ratio(1, 100'000), static_cast<int>(n) - 1);  // needles
    case 7: {  // pairs of hyperplanes that are nearly the same
      std::vector<Halfspace> result = random.cell(n, cuts / 2, 9);
      const std::size_t count = result.size();
      for (std::size_t i = 2 * n; i < count; ++i) {
        result.push_back(result[i]);
        result.back().normal[0] += ratio(random.number(9), 1'000'000'000'000);
      }
      return result;
    }
    case 8: {  // all hyperplanes through one point
      std::vector<Halfspace> result = random.cell(n, cuts + 2, 3);
      for (std::size_t i = 2 * n; i < result.size(); ++i) result[i].bound = 0;
      return result;
    }
    default: {  // tiny
      const Rational size = ratio(1, 10'000);
      std::vector<Halfspace> result = random.cell(n, cuts, 9);
      for (Halfspace& halfspace : result) halfspace.bound *= size;
      return result;
    }
  }
}

TEST_CASE("enclosures hold the exact integrals") {
  int volumes = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 6;
    if (n >= 5 && seed % 5 != 0) continue;
    const std::vector<Halfspace> shape = random_shape(random, n, seed / 6);
    std::vector<double> centre(n), half_width(n, 1);
    if (seed % 4 == 1)
      for (std::size_t j = 0; j < n; ++j) {
        centre[j] = random.number(3) * 1000.0 / 3;
        half_width[j] = std::ldexp(1 + std::abs(random.number(7)) / 10.0, j % 2 == 0 ? -20 : 20);
      }
    if (seed % 4 == 2) half_width.assign(n, 0x1p-20), centre.assign(n, 1000);
    const Polytope region(n, mapped(shape, centre, half_width));
    if (region.flat()) continue;

    constexpr double radii[] = {0, 1e-15, 1e-9, 1e-3, 0.3};
    const double radius = radii[seed % 5];
    const Point middle = centroid(Polytope(n, shape));
    const std::array<Move, 4> moves = {Move(), at_random(random), away_from(middle, 1),
                                       away_from(middle, -1)};
    const EnclosedPolytope cell = enclosed(region, centre, half_width, radius, moves[seed / 5 % 4]);

    const unsigned degree = n <= 4 ? seed % 5 : seed % 3;
    const std::vector<Polynomial> integrands = {1, random.dense(n, degree),
                                                random.polynomial(n, n <= 4 ? 4 : 2, 3)};
    const std::vector<Interval> expected = exact_integrals(integrands, region);
    const auto volume = enclose_volume(cell);
    REQUIRE(volume.has_value());
    CHECK(holds(*volume, expected[0].lower));
    CHECK(volume->lower >= 0);
    std::vector<EnclosedPolynomial> enclosing;
    for (const Polynomial& integrand : integrands) enclosing.emplace_back(integrand);
    const auto found = enclose_integrals(enclosing, cell);
    REQUIRE(found.has_value());
    for (std::size_t i = 0; i < integrands.size(); ++i)
      CHECK((*found)[i].contains(expected[i].lower));
    ++volumes;
  }
  CHECK(volumes > 1500);
}

TEST_CASE("fat cells keep twelve digits of their volumes, and eleven of their integrals") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 5;
    const Polytope region(n, random.region(n, 3));
    if (region.flat()) continue;
    const EnclosedPolytope cell =
        enclosed(region, std::vector<double>(n), std::vector<double>(n, 1.5));
    const std::vector<Polynomial> integrands = {1,
                                                power(affine(std::vector<Rational>(n, 1), 9), 3)};
    const std::vector<Interval> expected = exact_integrals(integrands, region);
    const auto found = enclose_integrals_in_doubles(
        std::array{EnclosedPolynomial(integrands[0]), EnclosedPolynomial(integrands[1])}, cell);
    REQUIRE(found.has_value());
    CHECK(relative_width((*found)[0], expected[0].lower) < 1e-12);
    CHECK(relative_width((*found)[1], expected[1].lower) < 1e-11);
    CHECK((*found)[0] == enclose_volume(cell));
  }
}

TEST_CASE("the error of a thin or tiny cell is that of its radius over its width") {
  for (std::size_t n = 1; n <= 6; ++n)
    for (const double width : {1e-3, 1e-6, 1e-9})
      for (std::size_t thin = 1; thin <= n; ++thin) {  // in so many directions
        CAPTURE(n);
        CAPTURE(width);
        CAPTURE(thin);
        std::vector<Halfspace> shape;
        for (std::size_t j = 0; j < n; ++j) {  // along no axis
          Halfspace plane{std::vector<Rational>(n, ratio(1, 3)), ratio(1, 7)};
          plane.normal[j] += 1;
          if (j < thin) plane.bound *= Rational(width);
          shape.push_back(plane);
          for (Rational& entry : plane.normal) entry = -entry;
          shape.push_back(plane);
        }
        const Polytope region(n, shape);
        const auto found =
            enclose_volume(enclosed(region, std::vector<double>(n), std::vector<double>(n, 1)));
        REQUIRE(found.has_value());
        const Rational volume = exact_volume(region);
        CHECK(holds(*found, volume));
        CHECK(relative_width(*found, volume) < 300 * static_cast<double>(n) * 0x1p-53 / width);
      }
}

/// A weaker bound would not hold, and a much coarser one would fail here.
TEST_CASE("vertices moved outwards use up a good part of the error bound") {
  for (std::size_t n = 1; n <= 6; ++n)
    for (const double radius : {1e-3, 1e-7, 1e-11, 1e-14})
      for (const int sign : {1, -1}) {
        CAPTURE(n);
        CAPTURE(radius);
        CAPTURE(sign);
        for (const bool whole : {true, false}) {
          const Polytope region(n, whole ? cube(n, -1, 1) : simplex(n));
          const EnclosedPolytope cell =
              enclosed(region, std::vector<double>(n), std::vector<double>(n, 1), radius,
                       away_from(centroid(region), sign));
          const auto found = enclose_volume(cell);
          REQUIRE(found.has_value());
          const Rational volume = exact_volume(region);
          CHECK(holds(*found, volume));
          const Rational error =
              abs(Rational((Rational(found->lower) + found->upper) / 2 - volume));
          CHECK(error > (Rational(found->upper) - Rational(found->lower)) / 2 / 25);
        }
      }
}

/// |det| by Gaussian elimination.
Rational determinant(std::vector<Point> rows) {
  Rational result = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t pivot = i;
    while (pivot < rows.size() && rows[pivot][i] == 0) ++pivot;
    if (pivot == rows.size()) return 0;
    std::swap(rows[i], rows[pivot]);
    result *= rows[i][i];
    for (std::size_t k = i + 1; k < rows.size(); ++k) {
      const Rational factor = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j < rows.size(); ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  return abs(result);
}

/// The base lies in the plane x_1 + ... + x_n = 0, the apex close to it: mapping errors count.
TEST_CASE("an uncertain apex of a thin simplex moved along its normal uses up the error bound") {
  for (std::size_t n = 1; n <= 6; ++n)
    for (std::size_t apex = 0; apex <= n; ++apex)
      for (const double move : {0x1p-20, -0x1p-20}) {
        CAPTURE(n);
        CAPTURE(apex);
        CAPTURE(move);
        EnclosedPolytope cell;
        cell.dimension = n;
        cell.centre.assign(n, 0);
        cell.half_width.assign(n, 1);
        std::vector<Point> edges;  // from the origin, which is on the base
        for (std::size_t v = 0, i = 0; v <= n; ++v) {
          cell.incidences.push_back((std::uint64_t{2} << n) - 1 - (std::uint64_t{1} << v));
          cell.radii.push_back(v == apex ? 0x1p-20 : 0);
          if (v == apex) {
            edges.emplace_back(n, ratio(1, 1024));
            cell.vertices.insert(cell.vertices.end(), n, 0x1p-10 + move);
          } else {
            std::vector<double> vertex(n);
            if (i > 0)
              vertex[0] = 1, vertex[i] = -1, edges.emplace_back(vertex.begin(), vertex.end());
            cell.vertices.insert(cell.vertices.end(), vertex.begin(), vertex.end());
            ++i;
          }
        }
        const Rational volume = determinant(edges) / factorial(static_cast<unsigned>(n));
        const auto found = enclose_volume(cell);
        REQUIRE(found.has_value());
        CHECK(holds(*found, volume));
        const Rational error = abs(Rational((Rational(found->lower) + found->upper) / 2 - volume));
        CHECK(error > (Rational(found->upper) - Rational(found->lower)) / 2 / 4);
      }
}

/// Cross polytopes with perturbed vertices still have simplices for facets, and the origin inside.
TEST_CASE("rounding alone is enclosed where vertices are doubles") {
  std::mt19937_64 engine(1);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const std::size_t n = 1 + round % 5;
    EnclosedPolytope cell;
    cell.dimension = n;
    cell.centre.assign(n, 0);
    cell.half_width.assign(n, 1);
    cell.radii.assign(2 * n, 0);
    const double spread = round % 2 == 0 ? 0.2 / static_cast<double>(n) : 0x1p-50;
    std::uniform_real_distribution<double> entry(-spread, spread);
    std::vector<Point> vertices;
    for (std::size_t v = 0; v < 2 * n; ++v) {
      vertices.emplace_back();
      for (std::size_t j = 0; j < n; ++j) {
        cell.vertices.push_back(entry(engine) + (v / 2 == j ? (v % 2 == 0 ? 1 : -1) / 1.25 : 0));
        vertices[v].push_back(Rational(cell.vertices.back()));
      }
    }
    Rational volume = 0;
    for (std::size_t signs = 0; signs < std::size_t{1} << n; ++signs) {
      std::vector<Point> rows;
      cell.incidences.push_back(0);
      for (std::size_t j = 0; j < n; ++j) {
        rows.push_back(vertices[2 * j + (signs >> j & 1)]);
        cell.incidences.back() |= std::uint64_t{1} << (2 * j + (signs >> j & 1));
      }
      volume += determinant(rows);
    }
    volume /= factorial(static_cast<unsigned>(n));
    const auto found = enclose_volume(cell);
    REQUIRE(found.has_value());
    CHECK(holds(*found, volume));
    CHECK(relative_width(*found, volume) < 1e-12);
  }
}

/// A thin plate, with midpoints that make it a wedge: the mean of x moves, and x of no vertex does.
TEST_CASE("uncertain shares of the volume use up a good part of the error bound of a mean") {
  for (std::size_t n = 2; n <= 5; ++n)
    for (const int sign : {1, -1}) {
      CAPTURE(n);
      CAPTURE(sign);
      Point lower(n, -1), upper(n, 1);
      lower[n - 1] = ratio(-1, 1024);
      upper[n - 1] = ratio(1, 1024);
      const Polytope region(n, box(lower, upper));
      const EnclosedPolytope cell = enclosed(
          region, std::vector<double>(n), std::vector<double>(n, 1), 0x1p-16,
          [&](const Point& vertex, std::size_t j) {
            return j + 1 == n ? Rational(sign * sgn(vertex[0]) * sgn(vertex[j])) : Rational(0);
          });
      const auto found = enclose_integrals_in_doubles(std::array{EnclosedPolynomial(x)}, cell);
      REQUIRE(found.has_value());
      const auto [least, most] = found->front();
      CHECK(least <= 0);
      CHECK(most >= 0);
      CHECK(std::abs(least + most) / 2 > (most - least) / 2 / 60);
    }
}

TEST_CASE("means lie between the extremes of the vertices, even where shares are unknown") {
  for (std::size_t n = 1; n <= 5; ++n) {
    CAPTURE(n);
    const std::vector<double> centre(n, 1000), half_width(n, 1);
    const Polytope region(n, mapped(cube(n, -1, 1), centre, half_width));
    EnclosedPolytope cell = enclosed(region, centre, half_width);
    for (double& radius : cell.radii) radius = 0.5;
    const auto found = enclose_integrals_in_doubles(
        std::array{EnclosedPolynomial(Polynomial(1)), EnclosedPolynomial(x)}, cell);
    REQUIRE(found.has_value());
    CHECK((*found)[1].upper <= (*found)[0].upper * 1001.5001);
    CHECK((*found)[1].upper >= (*found)[0].upper * 1000);
    CHECK((*found)[1].lower >= (*found)[0].lower * 998.4999);
  }
}

TEST_CASE("coefficients may be anywhere in their intervals") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 3;
    const Polytope region(n, random.region(n, 3));
    if (region.flat()) continue;
    std::vector<EnclosedPolynomial::Term> intervals;
    std::vector<Polynomial::Term> least, most;
    const Polynomial dense = random.dense(n, 3);
    for (const Polynomial::Term& term : dense.terms()) {
      const double middle = random.number(9) / 4.0, width = std::abs(random.number(4)) / 2.0;
      intervals.push_back({term.monomial, middle - width, middle + width});
      least.push_back({term.monomial, Rational(middle - width)});
      most.push_back({term.monomial, Rational(random.number(1) > 0 ? middle : middle + width)});
    }
    std::reverse(intervals.begin(), intervals.end());  // in no particular order
    const auto found =
        enclose_integrals(std::array{EnclosedPolynomial(intervals)},
                          enclosed(region, std::vector<double>(n), std::vector<double>(n, 1), 1e-5,
                                   at_random(random)));
    REQUIRE(found.has_value());
    const std::vector<Interval> expected =
        exact_integrals({Polynomial(least), Polynomial(most)}, region);
    CHECK((*found)[0].contains(expected[0].lower));
    CHECK((*found)[0].contains(expected[1].lower));
  }
}

TEST_CASE("polytopes of several words of vertices") {
  for (const std::size_t n : {6, 7, 8}) {
    CAPTURE(n);
    for (const bool cut : {false, true}) {
      std::vector<Halfspace> shape = cube(n, -1, 1);
      if (cut) shape.push_back({std::vector<Rational>(n, 1), ratio(1, 2)});
      const Polytope region(n, shape);
      const std::vector<Polynomial> integrands = {1, x * x * y, 3};
      const std::vector<Interval> expected = exact_integrals(integrands, region);
      std::vector<EnclosedPolynomial> enclosing;
      for (const Polynomial& integrand : integrands) enclosing.emplace_back(integrand);
      const auto found = enclose_integrals(
          enclosing, enclosed(region, std::vector<double>(n), std::vector<double>(n, 1)));
      REQUIRE(found.has_value());
      for (std::size_t i = 0; i < integrands.size(); ++i)
        CHECK((*found)[i].contains(expected[i].lower));
    }
  }
  const Polytope most(9, cube(9, -1, 1));  // 512 vertices
  const auto found =
      enclose_volume(enclosed(most, std::vector<double>(9), std::vector<double>(9, 1)));
  REQUIRE(found.has_value());
  CHECK(holds(*found, 512));
}

TEST_CASE("numbers that leave the range of doubles give no result") {
  const Polytope triangle(2, simplex(2));
  const EnclosedPolytope cell = enclosed(triangle, {0, 0}, {1, 1});
  const auto volume = [&](auto&& change) {
    EnclosedPolytope changed = cell;
    change(changed);
    return enclose_volume(changed);
  };
  REQUIRE(volume([](EnclosedPolytope&) {}).has_value());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, std::nan("")}) {
    CHECK_FALSE(volume([&](EnclosedPolytope& p) { p.vertices[3] = bad; }).has_value());
    CHECK_FALSE(volume([&](EnclosedPolytope& p) { p.radii[1] = bad; }).has_value());
    CHECK_FALSE(volume([&](EnclosedPolytope& p) { p.half_width[1] = bad; }).has_value());
    EnclosedPolytope far = cell;
    far.centre[0] = bad;
    CHECK_FALSE(enclose_integrals(std::array{EnclosedPolynomial(x)}, far).has_value());
    const EnclosedPolynomial constant({{Monomial(), 0, bad}});
    CHECK_FALSE(enclose_integrals(std::array{constant}, cell).has_value());
  }
  CHECK_FALSE(volume([](EnclosedPolytope& p) { p.half_width = {1e-200, 1e-200}; }).has_value());
  CHECK_FALSE(volume([](EnclosedPolytope& p) { p.half_width = {1e200, 1e200}; }).has_value());
  CHECK_FALSE(volume([](EnclosedPolytope& p) {
                for (double& entry : p.vertices) entry *= 1e-200;
              }).has_value());
  const Polynomial large = Polynomial(power(Rational(10), 308)) * x;
  CHECK(enclose_integrals(std::array{EnclosedPolynomial(large)}, cell).has_value());
  EnclosedPolytope far = cell;
  far.centre = {1000, 0};
  CHECK_FALSE(enclose_integrals(std::array{EnclosedPolynomial(large)}, far).has_value());
  CHECK_FALSE(enclose_integrals(std::array{EnclosedPolynomial(10 * large)}, cell).has_value());
  CHECK_FALSE(enclose_volume(enclosed(Polytope(13, simplex(13)), std::vector<double>(13),
                                      std::vector<double>(13, 1)))
                  .has_value());
  const Polytope twelve(12, simplex(12));
  const auto found =
      enclose_volume(enclosed(twelve, std::vector<double>(12), std::vector<double>(12, 1)));
  REQUIRE(found.has_value());
  CHECK(holds(*found, 1 / factorial(12)));
}

TEST_CASE("no integrands have no integrals") {
  const EnclosedPolytope cell = enclosed(Polytope(1, simplex(1)), {0}, {1});
  const auto none = enclose_integrals({}, cell);
  REQUIRE(none.has_value());
  CHECK(none->empty());
  const auto zero = enclose_integrals(std::array{EnclosedPolynomial(Polynomial())}, cell);
  REQUIRE(zero.has_value());
  CHECK((*zero)[0] == Interval(0));
}

}  // namespace
}  // namespace wmi::tests
