// Filtered polytopes against exact polyhedra, cut by the same hyperplanes: in general position and
// degenerate ones, whose signs doubles cannot decide.

#include "solver/geometry/filtered_polytope.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "solver/geometry/polyhedron.h"
#include "solver/geometry/product_region.h"
#include "solver/terms/enclosed_polynomial.h"
#include "tests/solver/geometry/canonical.h"
#include "tests/solver/power_of_two.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

constexpr double infinity = std::numeric_limits<double>::infinity();

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  double normal() { return std::normal_distribution<double>()(engine_); }
  /// As weights of networks are stored.
  Rational weight() { return Rational(static_cast<double>(static_cast<float>(normal()))); }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(integer(0, static_cast<int>(from.size()) - 1))];
  }

 private:
  std::mt19937 engine_;
};

/// Forms by name, as they are told.
class GivenForms final : public ExactForms {
 public:
  std::vector<LinearForm> all;

  const LinearForm& exact(std::uint32_t name) override { return all.at(name); }
};

/// constant, coefficients.
using Row = std::vector<Rational>;

LinearForm primitive(const Row& row) {
  LinearForm result;
  result.constant = row[0];
  for (std::size_t k = 1; k < row.size(); ++k)
    if (row[k] != 0) result.coefficients.emplace_back(static_cast<Variable>(k - 1), row[k]);
  result.make_primitive();
  return result;
}

Integers integers(const LinearForm& form, std::size_t dimension) {
  std::vector<Integer> result(dimension + 1);
  result[0] = form.constant.get_num();
  for (const auto& [variable, coefficient] : form.coefficients)
    result[variable + 1] = coefficient.get_num();
  return Integers(std::move(result));
}

/// A hyperplane in both numbers. Its doubles are `scale` times the exact row, with errors.
struct Plane {
  LinearForm exact;
  std::vector<double> coefficients;
  Hyperplane filtered{};
};

/// How wrong the doubles of a form are.
enum class Blur { least, some, much, without_limit };

/// The errors are stated as tightly as doubles can: those that forget a part of it are caught.
std::unique_ptr<Plane> plane(const Row& row, const NormalisedBox& box, std::uint32_t name,
                             Blur blur, Random& random) {
  auto result = std::make_unique<Plane>();
  result->exact = primitive(row);
  Row normalised = row;
  for (std::size_t k = 1; k < row.size(); ++k) {
    normalised[0] += row[k] * Rational(box.centre[k - 1]);
    normalised[k] = row[k] * Rational(box.half_width[k - 1]);
  }
  // Any positive multiple is as good; and the exact form may be the opposite.
  const bool opposite = random.chance(30);
  Rational scale = random.chance(50) ? Rational(1) : power_of_two(random.integer(-30, 30));
  if (opposite) scale = -scale;
  Rational error, size;
  for (const Rational& entry : normalised) {
    const Rational exact = entry * scale;
    double rounded = exact.get_d();
    if (blur == Blur::least && random.chance(30)) rounded = std::nextafter(rounded, infinity);
    const int bits = blur == Blur::some ? random.integer(30, 50) : random.integer(5, 30);
    if (blur != Blur::least) rounded *= 1 + std::ldexp(random.normal(), -bits);
    result->coefficients.push_back(rounded);
    error += abs(exact - Rational(rounded));
    size += abs(Rational(rounded));
  }
  const double stated = round_outwards(error).upper;
  result->filtered = {{result->coefficients.data(), blur == Blur::without_limit ? infinity : stated,
                       round_outwards(size).upper},
                      name,
                      opposite ? -1.0 : 1.0};
  return result;
}

/// A hyperplane through points: a vector in the kernel of the rows (1, x).
Row through(const std::vector<Point>& points, std::size_t dimension, Random& random) {
  std::vector<Row> reduced;
  std::vector<std::size_t> leads;
  for (const Point& point : points) {
    Row row{1};
    row.insert(row.end(), point.begin(), point.end());
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      const Rational factor = row[leads[i]];
      for (std::size_t j = 0; j <= dimension; ++j) row[j] -= factor * reduced[i][j];
    }
    std::size_t lead = 0;
    while (lead <= dimension && row[lead] == 0) ++lead;
    if (lead > dimension) continue;
    const Rational pivot = row[lead];
    for (Rational& entry : row) entry /= pivot;
    for (Row& other : reduced) {
      const Rational factor = other[lead];
      for (std::size_t j = 0; j <= dimension; ++j) other[j] -= factor * row[j];
    }
    reduced.push_back(std::move(row));
    leads.push_back(lead);
  }
  Row result(dimension + 1);
  for (std::size_t j = 0; j <= dimension; ++j)
    if (std::ranges::find(leads, j) == leads.end()) result[j] = random.weight();
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    result[leads[i]] = 0;
    for (std::size_t j = 0; j <= dimension; ++j)
      if (j != leads[i] && std::ranges::find(leads, j) == leads.end())
        result[leads[i]] -= reduced[i][j] * result[j];
  }
  return result;
}

Rational at(const Row& row, const Point& point) {
  Rational sum = row[0];
  for (std::size_t k = 0; k < point.size(); ++k) sum += row[k + 1] * point[k];
  return sum;
}

/// A box and what is left of it after cuts, in both numbers.
struct Both {
  NormalisedBox box;
  GivenForms forms;
  FilterCounts counts;
  FilteredPolytope filtered;
  Polyhedron exact;
  std::vector<Row> used;                       // rows of hyperplanes so far
  std::vector<std::unique_ptr<Plane>> planes;  // whose coefficients are pointed to

  explicit Both(const std::vector<Interval>& ranges)
      : box(*NormalisedBox::around(ranges)), exact(ranges.size()) {
    std::vector<FilteredPolytope::Side> sides[2];
    for (std::size_t k = 0; k < ranges.size(); ++k)
      for (const bool top : {false, true}) {
        Row row(ranges.size() + 1);
        const Rational& bound = top ? ranges[k].upper : ranges[k].lower;
        const int sign = (k + top) % 2 ? 1 : -1;
        row[0] = -bound * sign;
        row[k + 1] = sign;
        sides[top].push_back({static_cast<std::uint32_t>(forms.all.size()), sign, bound});
        forms.all.push_back(primitive(row));
        const Integers entries = integers(forms.all.back(), ranges.size());
        exact = (sign > 0) != top ? exact.above(entries) : exact.below(entries);
        used.push_back(row);
      }
    filtered = FilteredPolytope(box, sides[0], sides[1]);
  }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;

  std::size_t dimension() const { return box.dimension(); }
  Filter filter() { return {forms, counts}; }
};

void check_same(const FilteredPolytope& filtered, const Polyhedron& exact, Both& both) {
  const Polytope found = filtered.exact(both.forms), expected = exact.polytope();
  REQUIRE(filtered.vertex_count() == expected.vertex_count());
  REQUIRE(canonical(found) == canonical(expected));
  const std::vector<Point> vertices = found.vertices();
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    REQUIRE(std::isfinite(filtered.radius(v)));
    for (std::size_t k = 0; k < both.dimension(); ++k) {
      REQUIRE(std::abs(filtered.coordinate(v, k)) <= 1);
      REQUIRE(abs(Rational(both.box.normalised(k, vertices[v][k]) -
                           Rational(filtered.coordinate(v, k)))) <= Rational(filtered.radius(v)));
    }
  }
}

/// The range contains the values of the doubles at the vertices with the error on both sides.
void check_range(const FilteredPolytope& filtered, const std::vector<Point>& vertices,
                 const Plane& plane, const NormalisedBox& box) {
  const EnclosedForm& form = plane.filtered.form;
  if (!std::isfinite(form.error)) return;
  const auto [least, most] = filtered.range(form);
  for (const Point& vertex : vertices) {
    Rational value(plane.coefficients[0]);
    for (std::size_t k = 0; k < vertex.size(); ++k)
      value += Rational(plane.coefficients[k + 1]) * box.normalised(k, vertex[k]);
    REQUIRE(Rational(least) + Rational(form.error) <= value);
    REQUIRE(value <= Rational(most) - Rational(form.error));
  }
}

enum class Style { general, degenerate, wild };

/// A row that has a fair chance to cut the polytope with these vertices.
Row random_row(const Both& both, const std::vector<Point>& vertices, Style style, Random& random) {
  const std::size_t n = both.dimension();
  const auto inner = [&] {
    Point point(n);
    for (const Point& vertex : vertices)
      for (std::size_t k = 0; k < n; ++k) point[k] += vertex[k];
    const Point& towards = random.pick(vertices);
    for (std::size_t k = 0; k < n; ++k)
      point[k] = (point[k] / static_cast<int>(vertices.size()) + towards[k]) / 2;
    for (Rational& x : point) x = Rational(x.get_d());  // short, and still inside, or nearly so
    return point;
  };
  const auto with_constant = [&](Row row, const Point& point) {
    row[0] = 0;
    row[0] = -at(row, point);
    return row;
  };
  Row row(n + 1);
  for (Rational& entry : row) entry = random.weight();
  const int kind = style == Style::general ? 0 : random.integer(1, 9);
  switch (kind) {
    case 1: {  // through vertices
      std::vector<Point> points;
      for (std::size_t i = 0; i < n; ++i) points.push_back(random.pick(vertices));
      return through(points, n, random);
    }
    case 2: {  // just beside vertices
      std::vector<Point> points;
      for (std::size_t i = 0; i < n; ++i) points.push_back(random.pick(vertices));
      row = through(points, n, random);
      row[0] += power_of_two(-random.integer(45, 75)) * random.weight();
      return row;
    }
    case 3:  // through one vertex
      return with_constant(row, random.pick(vertices));
    case 4:  // again
      return random.pick(both.used);
    case 5:  // parallel, hardly apart
      row = random.pick(both.used);
      row[0] += power_of_two(-60) * random.integer(-3, 3);
      return row;
    case 6: {  // hardly tilted
      const Row other = random.pick(both.used);
      const Rational tilt = power_of_two(-random.integer(8, style == Style::wild ? 60 : 26));
      for (std::size_t k = 0; k <= n; ++k) row[k] = other[k] + tilt * row[k];
      return with_constant(row, random.chance(50) ? inner() : random.pick(vertices));
    }
    case 7:  // parallel to some axes
      for (std::size_t k = 1; k <= n; ++k)
        if (random.chance(60)) row[k] = 0;
      return with_constant(row, random.chance(50) ? inner() : random.pick(vertices));
    case 8:  // numbers of very different size
      for (std::size_t k = 0; k <= n; ++k)
        if (style == Style::wild && random.chance(50))
          row[k] *= power_of_two(random.chance(50) ? 100 : -100);
      return with_constant(row, random.chance(50) ? inner() : random.pick(vertices));
    case 9:  // small integers
      for (Rational& entry : row) entry = random.integer(-1, 1);
      return random.chance(50) ? row : with_constant(row, random.pick(vertices));
    default:
      return with_constant(row, inner());
  }
}

std::vector<Interval> random_ranges(std::size_t dimension, Random& random) {
  std::vector<Interval> result;
  for (std::size_t k = 0; k < dimension; ++k) {
    const Rational lower = random.chance(50) ? Rational(random.integer(-3, 3))
                           : random.chance(50)
                               ? random.weight()
                               : ratio(random.integer(-20, 20), random.integer(1, 20));
    Rational width = random.chance(50) ? Rational(random.integer(1, 3))
                                       : ratio(random.integer(1, 20), random.integer(1, 20));
    if (random.chance(10)) width *= power_of_two(random.chance(50) ? 30 : -30);
    result.emplace_back(lower, Rational(lower + width));
  }
  return result;
}

Blur random_blur(Style style, Random& random) {
  if (style == Style::general || random.chance(60)) return Blur::least;
  if (random.chance(70)) return Blur::some;
  return random.chance(70) ? Blur::much : Blur::without_limit;
}

/// Returns the number of cuts.
int cut_at_random(std::size_t dimension, int attempts, Style style, Random& random,
                  FilterCounts& counts) {
  Both both(random_ranges(dimension, random));
  check_same(both.filtered, both.exact, both);
  int cuts = 0;
  for (int attempt = 0; attempt < attempts && both.filtered.vertex_count() < 150; ++attempt) {
    const std::vector<Point> vertices = both.exact.polytope().vertices();
    const Row row = random_row(both, vertices, style, random);
    if (std::all_of(row.begin() + 1, row.end(), [](const Rational& x) { return x == 0; })) continue;
    const auto name = static_cast<std::uint32_t>(both.forms.all.size());
    both.planes.push_back(plane(row, both.box, name, random_blur(style, random), random));
    const Plane& plane = *both.planes.back();
    both.forms.all.push_back(plane.exact);
    const Integers entries = integers(plane.exact, dimension);
    check_range(both.filtered, vertices, plane, both.box);
    const Sides sides = both.exact.sides(entries);
    REQUIRE(both.filtered.sides(plane.filtered, both.filter()) == sides);
    if (sides != Sides::both) continue;
    ++cuts;
    both.used.push_back(row);
    auto [below, above] = both.filtered.cut(plane.filtered, both.filter());
    auto [exact_above, exact_below] = both.exact.cut(entries);
    check_same(below, exact_below, both);
    check_same(above, exact_above, both);
    const bool up = random.chance(50);
    both.filtered = std::move(up ? above : below);
    both.exact = up ? exact_above : exact_below;
  }
  counts += both.counts;
  return cuts;
}

TEST_CASE("a box has its corners, and sides that are facets") {
  Both both({Interval(0, 1), Interval(ratio(1, 3), 2), Interval(-5, ratio(22, 7))});
  CHECK(both.filtered.dimension() == 3);
  CHECK(both.filtered.vertex_count() == 8);
  CHECK(both.filtered.row_count() == 6);
  CHECK(both.filtered.facets().rows.size() == 6);
  check_same(both.filtered, both.exact, both);
}

TEST_CASE("halves of random polytopes have the vertices, facets and incidences of exact ones") {
  FilterCounts counts;
  int cuts = 0;
  for (std::size_t dimension = 1; dimension <= 6; ++dimension)
    for (int round = 0; round < repetitions(dimension < 4 ? 60 : 12); ++round) {
      CAPTURE(dimension);
      CAPTURE(round);
      Random random(static_cast<unsigned>(1000 * dimension) + static_cast<unsigned>(round));
      cuts += cut_at_random(dimension, dimension < 5 ? 12 : 6, Style::general, random, counts);
    }
  CHECK(cuts > 500);
  CHECK(counts.exact * 1000 < counts.in_doubles);  // in general position, doubles decide
}

TEST_CASE("hyperplanes through or just beside vertices are decided right, whatever the errors") {
  FilterCounts counts;
  int cuts = 0;
  for (const Style style : {Style::degenerate, Style::wild})
    for (std::size_t dimension = 1; dimension <= 6; ++dimension)
      for (int round = 0; round < repetitions(dimension < 4 ? 40 : 8); ++round) {
        CAPTURE(static_cast<int>(style));
        CAPTURE(dimension);
        CAPTURE(round);
        Random random(static_cast<unsigned>(100000 * dimension) + static_cast<unsigned>(round));
        cuts += cut_at_random(dimension, 9, style, random, counts);
      }
  CHECK(cuts > 500);
  CHECK(counts.in_doubles > 1000);
  CHECK(counts.exact > 1000);
  CHECK(counts.exact_vertices > 10);
}

/// The square 0 <= x, y <= 2 and planes whose doubles are given as they are.
struct Square : Both {
  Square() : Both({Interval(0, 2), Interval(0, 2)}) {}

  void cut(const Row& row, const std::vector<double>& coefficients, double error, double size) {
    planes.push_back(std::make_unique<Plane>(Plane{primitive(row), coefficients}));
    Plane& plane = *planes.back();
    plane.filtered = {
        {plane.coefficients.data(), error, size}, static_cast<std::uint32_t>(forms.all.size()), 1};
    forms.all.push_back(plane.exact);
    REQUIRE(filtered.sides(plane.filtered, filter()) == Sides::both);
    filtered = filtered.cut(plane.filtered, filter()).first;
    exact = exact.below(integers(plane.exact, 2));
    check_same(filtered, exact, *this);
  }
};

TEST_CASE_FIXTURE(Square, "where doubles know nothing of a row, its vertices are exact") {
  // x <= 3/2 and y <= 1/2; in normalised coordinates these are 1/2 and -1/2. Both are far off.
  cut({ratio(-3, 2), 1, 0}, {0, 1, 0}, infinity, 1);
  cut({ratio(-1, 2), 0, 1}, {0, 0, 1}, infinity, 1);
  CHECK(filtered.vertex_count() == 4);
  CHECK(counts.exact_vertices > 0);
}

TEST_CASE_FIXTURE(Square, "rows beyond the range of doubles are left to exact numbers") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  SUBCASE("no numbers at all") {
    cut({ratio(-3, 2), 1, 0}, {nan, nan, nan}, infinity, infinity);
    cut({ratio(-1, 2), 0, 1}, {nan, infinity, -infinity}, nan, nan);
  }
  SUBCASE("all 0") {
    cut({ratio(-3, 2), 1, 0}, {0, 0, 0}, 0x1p-1030, 0);
    cut({-2, 1, 1}, {0, 0, 0}, 0x1p-1030, 0);
  }
  SUBCASE("tiny pivots") {
    // x <= 3/2, and then (x - 3/2) + 2^-1040 (y - 1) <= 0, whose inverse is infinite.
    cut({ratio(-3, 2), 1, 0}, {-0.5, 1, 0}, 0, 1.5);
    Rational tiny = 1;
    mpq_div_2exp(tiny.get_mpq_t(), tiny.get_mpq_t(), 1040);
    cut({Rational(ratio(-3, 2) - tiny), 1, tiny}, {-0.5, 1, 0x1p-1040}, 0, 0x1.8000000000001p0);
  }
}

TEST_CASE_FIXTURE(Square, "a constant form is on the side of its sign") {
  const auto side = [&](const Rational& constant, double stored, double error) {
    forms.all.push_back(primitive({constant, 0, 0}));
    const std::vector<double> coefficients{stored, 0, 0};
    return filtered.sides({{coefficients.data(), error, std::abs(stored)},
                           static_cast<std::uint32_t>(forms.all.size() - 1),
                           1},
                          filter());
  };
  CHECK(side(1, 1, 0) == Sides::above);
  CHECK(side(-1, -1, 0) == Sides::below);
  CHECK(side(1, -1, 2) == Sides::above);
  CHECK(side(-1, 1, 2) == Sides::below);
  CHECK(side(0, 1, 1) == Sides::below);
}

TEST_CASE("more rows than a word has bits are no obstacle") {
  // A polygon of many sides, and cuts that make rows redundant.
  Both both({Interval(-2, 2), Interval(-2, 2)});
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const double angle = 0.1 * i;
    const Row row{Rational(-1) - ratio(i % 7, 100), Rational(std::cos(angle)),
                  Rational(std::sin(angle))};
    both.planes.push_back(plane(row, both.box, static_cast<std::uint32_t>(both.forms.all.size()),
                                Blur::least, random));
    const Plane& plane = *both.planes.back();
    both.forms.all.push_back(plane.exact);
    const Integers entries = integers(plane.exact, 2);
    const Sides sides = both.exact.sides(entries);
    REQUIRE(both.filtered.sides(plane.filtered, both.filter()) == sides);
    if (sides != Sides::both) continue;
    both.filtered = both.filtered.cut(plane.filtered, both.filter()).first;
    both.exact = both.exact.below(entries);
    check_same(both.filtered, both.exact, both);
  }
  CHECK(both.filtered.vertex_count() > 50);
}

TEST_CASE("a polytope of too many vertices is refused") {
  // Every cut of a cube's corners in 10 dimensions adds vertices.
  Both both(std::vector<Interval>(10, Interval(-1, 1)));
  Random random(3);
  CHECK_THROWS_AS(
      [&] {
        for (int i = 0; i < 20; ++i) {
          Row row(11);
          for (std::size_t k = 1; k <= 10; ++k) row[k] = random.weight();
          both.planes.push_back(plane(row, both.box,
                                      static_cast<std::uint32_t>(both.forms.all.size()),
                                      Blur::least, random));
          both.forms.all.push_back(both.planes.back()->exact);
          both.filtered = both.filtered.cut(both.planes.back()->filtered, both.filter()).first;
        }
      }(),
      TooManyVertices);
}

}  // namespace
}  // namespace wmi::tests
