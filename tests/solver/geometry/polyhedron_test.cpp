#include "solver/geometry/polyhedron.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/solver/geometry/canonical.h"

namespace wmi {
namespace {

using tests::canonical;

Integers row(std::vector<std::int64_t> entries) { return Integers(std::move(entries)); }

/// c + a.x >= 0 as a.x <= b.
Halfspace halfspace(const Integers& row, bool above) {
  Halfspace result{{}, above ? row[0] : Integer(-row[0])};
  for (std::size_t j = 1; j < row.size(); ++j)
    result.normal.emplace_back(above ? Integer(-row[j]) : row[j]);
  return result;
}

/// cddlib on the same halfspaces: the same vertices, facets and incidences, or the same refusal.
void check_against_cddlib(const Polyhedron& polyhedron, const std::vector<Halfspace>& given) {
  if (!polyhedron.bounded()) {
    CHECK(!polyhedron.directions().empty());
    CHECK_THROWS_AS(Polytope(polyhedron.dimension(), given), Unbounded);
    return;
  }
  const Polytope expected(polyhedron.dimension(), given);
  REQUIRE(!expected.flat());
  CHECK(canonical(polyhedron.polytope()) == canonical(expected));
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }

  /// Few directions and small numbers, so that many rows are parallel, repeated or concurrent; or
  /// numbers of up to 24 digits.
  Integers row(std::size_t dimension, int style) {
    std::vector<Integer> result;
    for (std::size_t j = 0; j <= dimension; ++j) {
      Integer entry = below(style == 0 ? 3 : 19) - (style == 0 ? 1 : 9);
      if (style == 2) {
        Integer scale;
        mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned>(below(24)));
        entry = entry * scale + below(1000);
      }
      result.push_back(entry);
    }
    return Integers(std::move(result));
  }

 private:
  std::mt19937 engine_;
};

bool constant(const Integers& row) {
  for (std::size_t j = 1; j < row.size(); ++j)
    if (row[j] != 0) return false;
  return true;
}

Integers primitive(const Integers& row) {
  Integer divisor;
  std::vector<Integer> entries;
  for (std::size_t j = 0; j < row.size(); ++j) {
    entries.push_back(row[j]);
    divisor = gcd(divisor, row[j]);
  }
  for (Integer& entry : entries) entry /= divisor;
  return Integers(std::move(entries));
}

TEST_CASE("the line is cut into rays, and a ray into an interval and a ray") {
  const Polyhedron line(1);
  CHECK_FALSE(line.bounded());
  CHECK(line.sides(row({5, 1})) == Sides::both);
  const auto [right, left] = line.cut(row({0, 1}));
  CHECK(right.directions() == std::vector<Point>{{1}});
  CHECK(left.directions() == std::vector<Point>{{-1}});
  CHECK(right.sides(row({5, 1})) == Sides::above);
  CHECK(right.sides(row({0, -2})) == Sides::below);
  const Polyhedron interval = right.below(row({-1, 2}));
  CHECK(interval.polytope().vertices() == std::vector<Point>{{0}, {ratio(1, 2)}});
  CHECK(interval.halfspaces() == std::vector<Halfspace>{{{-1}, 0}, {{2}, 1}});
}

TEST_CASE("a row that only touches a polyhedron leaves it on one side") {
  Polyhedron square(2);
  for (const Integers& side : {row({0, 1, 0}), row({1, -1, 0}), row({0, 0, 1}), row({1, 0, -1})})
    square = square.above(side);
  CHECK(square.sides(row({-2, 1, 1})) == Sides::below);
  CHECK(square.sides(row({0, 1, 1})) == Sides::above);
  CHECK(square.sides(row({-1, 1, 1})) == Sides::both);
  CHECK(square.range(row({-1, 1, 1})) ==
        std::pair<std::optional<Rational>, std::optional<Rational>>(-1, 1));
}

TEST_CASE("numbers that outgrow machine words stay exact") {
  const std::int64_t huge = (std::int64_t{1} << 59) + 1;
  Polyhedron square(2);
  std::vector<Halfspace> given;
  for (const Integers& side : {row({huge, huge - 2, 1}), row({huge, -huge, 3}), row({1, 5, huge}),
                               row({huge, 7, -huge})}) {
    square = square.above(primitive(side));
    given.push_back(halfspace(side, true));
  }
  check_against_cddlib(square, given);
}

TEST_CASE("halves of random polyhedra have the vertices, facets and incidences that cddlib finds") {
  for (unsigned seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 1 + seed % 5;
    const int style = static_cast<int>(seed / 5 % 3);
    Polyhedron polyhedron(n);
    std::vector<Halfspace> given;
    const int cuts = 2 + random.below(n == 5 ? 12 : 16);
    for (int i = 0; i < cuts; ++i) {
      Integers next = random.row(n, style);
      if (i < static_cast<int>(2 * n) && seed % 4 != 0) {  // mostly a box first
        std::vector<std::int64_t> side(n + 1);
        side[0] = 1 + i % 2;
        side[1 + i / 2] = i % 2 == 0 ? 1 : -1;
        next = Integers(side);
      }
      if (constant(next)) continue;
      next = primitive(next);
      const Sides sides = polyhedron.sides(next);
      std::vector<Halfspace> upper = given, lower = given;
      upper.push_back(halfspace(next, true));
      lower.push_back(halfspace(next, false));
      if (sides != Sides::both) {
        CHECK(Polytope(n, sides == Sides::above ? lower : upper).flat());
        continue;
      }
      const auto [above, below] = polyhedron.cut(next);
      check_against_cddlib(above, upper);
      check_against_cddlib(below, lower);
      const bool up = random.below(2) == 0;
      polyhedron = up ? above : below;
      given = up ? upper : lower;
    }
  }
}

TEST_CASE(
    "where hyperplanes share more than they must, vertices on all of them need not be neighbours") {
  // Sums and differences of coordinates through one point: three of them often share a face of
  // codimension 2, and those that come first are redundant later.
  for (unsigned seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 4 + seed % 2;
    Polyhedron polyhedron(n);
    std::vector<Halfspace> given;
    const auto keep = [&](const Integers& side, bool up) {
      polyhedron = up ? polyhedron.above(side) : polyhedron.below(side);
      given.push_back(halfspace(side, up));
    };
    for (std::size_t j = 1; j <= n; ++j)
      for (const std::int64_t sign : {1, -1}) {
        std::vector<std::int64_t> side(n + 1);
        side[0] = 1;
        side[j] = sign;
        keep(Integers(side), true);
      }
    for (int i = 0; i < 14; ++i) {
      std::vector<std::int64_t> side(n + 1);
      for (int k = 0; k < 2; ++k)
        side[1 + static_cast<std::size_t>(random.below(static_cast<int>(n)))] =
            1 - 2 * random.below(2);
      const Integers next(side);
      if (polyhedron.sides(next) == Sides::both) keep(next, random.below(2) == 0);
    }
    check_against_cddlib(polyhedron, given);
  }
}

TEST_CASE("one half cut alone is the same as cut with the other") {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Polyhedron polyhedron(3);
    for (int k = 0; k < 8; ++k) {
      const Integers next = random.row(3, i % 3);
      if (constant(next) || polyhedron.sides(next) != Sides::both) continue;
      const auto [above, below] = polyhedron.cut(next);
      CHECK(polyhedron.above(next).halfspaces() == above.halfspaces());
      CHECK(polyhedron.below(next).halfspaces() == below.halfspaces());
      polyhedron = polyhedron.below(next);
      if (polyhedron.bounded())
        CHECK(canonical(polyhedron.polytope()) == canonical(below.polytope()));
    }
  }
}

TEST_CASE("a product has the halfspaces of both, whether bounded or not") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t m = 1 + seed % 3, n = 1 + seed / 3 % 2;
    Polyhedron a(m), b(n);
    std::vector<Halfspace> given;
    const auto cut = [&](Polyhedron& polyhedron, std::size_t before, std::size_t after) {
      const Integers next = random.row(polyhedron.dimension(), static_cast<int>(seed % 3));
      if (constant(next) || polyhedron.sides(next) != Sides::both) return;
      polyhedron = polyhedron.above(primitive(next));
      Halfspace side = halfspace(primitive(next), true);
      side.normal.insert(side.normal.begin(), before, Rational(0));
      side.normal.insert(side.normal.end(), after, Rational(0));
      given.push_back(side);
    };
    for (int k = 0; k < 6; ++k) {
      cut(a, 0, n);
      cut(b, m, 0);
    }
    Polyhedron product = Polyhedron::product(a, b);
    check_against_cddlib(product, given);
    for (int k = 0; k < 3; ++k) {
      cut(product, 0, 0);
      check_against_cddlib(product, given);
    }
  }
}

TEST_CASE("more rows than a word has bits are no obstacle") {
  // A polygon with 200 sides: tangents of a parabola, and a lid.
  Polyhedron polygon(2);
  std::vector<Halfspace> given;
  const auto add = [&](const Integers& side) {
    polygon = polygon.above(side);
    given.push_back(halfspace(side, true));
  };
  add(row({100 * 100, 0, -1}));
  for (int i = -99; i <= 99; ++i) add(row({i * i, -2 * i, 1}));  // y >= 2 i x - i^2
  check_against_cddlib(polygon, given);
  CHECK(polygon.polytope().facet_count() == 200);
}

TEST_CASE("a polyhedron from a polytope is the same, and is cut in the same way") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 1 + seed % 5;
    const int style = static_cast<int>(seed / 5 % 3);
    Polyhedron polyhedron(n);
    for (std::size_t k = 0; k < n; ++k)
      for (const int sign : {1, -1}) {
        std::vector<std::int64_t> side(n + 1);
        side[0] = 3, side[k + 1] = sign;
        polyhedron = polyhedron.above(Integers(side));
      }
    for (int i = 0; i < (n == 5 ? 6 : 10); ++i) {
      const Integers next = random.row(n, style);
      if (constant(next)) continue;
      const Integers by = primitive(next);
      const Polytope before = polyhedron.polytope();
      const Polyhedron again(before);
      CHECK(again.dimension() == n);
      CHECK(again.bounded());
      CHECK(canonical(again.polytope()) == canonical(before));
      CHECK(again.range(by) == polyhedron.range(by));
      const Sides sides = polyhedron.sides(by);
      REQUIRE(again.sides(by) == sides);
      if (sides != Sides::both) continue;
      const auto [above, below] = polyhedron.cut(by);
      const auto [above_again, below_again] = again.cut(by);
      CHECK(canonical(above_again.polytope()) == canonical(above.polytope()));
      CHECK(canonical(below_again.polytope()) == canonical(below.polytope()));
      polyhedron = random.below(2) == 0 ? above_again : below_again;
    }
  }
}

TEST_CASE("a polytope of more facets and vertices than a word has bits is a polyhedron") {
  Polyhedron polygon = Polyhedron(2).above(row({100 * 100, 0, -1}));
  for (int i = -99; i <= 99; ++i) polygon = polygon.above(row({i * i, -2 * i, 1}));
  const Polyhedron again(polygon.polytope());
  CHECK(canonical(again.polytope()) == canonical(polygon.polytope()));
  CHECK(canonical(again.above(row({1, 3, 5})).polytope()) ==
        canonical(polygon.above(row({1, 3, 5})).polytope()));
}

TEST_CASE("redundant rows are dropped to make room for others") {
  Polyhedron interval = Polyhedron(1).above(row({0, 1}));
  for (int i = 500; i > 0; --i) interval = interval.below(row({-i, 1}));
  CHECK(interval.polytope().vertices() == std::vector<Point>{{0}, {1}});
}

}  // namespace
}  // namespace wmi
