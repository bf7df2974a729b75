#include "solver/geometry/product_region.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1),
                 z = Polynomial::variable(2);

LinearForm form(const Polynomial& polynomial) {
  LinearForm result(polynomial);
  result.make_primitive();
  return result;
}

/// 0 <= x, y, z <= 2.
ProductRegion cube() {
  ProductRegion result(3);
  for (const Polynomial& v : {x, y, z}) result = result.above(form(v)).below(form(v - 2));
  return result;
}

TEST_CASE("cuts of single coordinates keep blocks separate, a cut of two merges theirs") {
  const ProductRegion region = cube();
  CHECK(region.dimension() == 3);
  CHECK(region.block_count() == 3);
  const auto [left, right] = region.cut(form(x + z - 1));
  std::vector<std::vector<Variable>> blocks = left.coordinates();
  std::sort(blocks.begin(), blocks.end());
  CHECK(blocks == std::vector<std::vector<Variable>>{{0, 2}, {1}});
  CHECK(right.block_count() == 2);
  CHECK(region.block_count() == 3);  // a value
  CHECK(left.region().vertex_count() == 3 + 2);
  CHECK(right.region().vertex_count() == 5 + 2);
}

TEST_CASE("sides tell where a region has volume") {
  const ProductRegion region = cube();
  CHECK(region.sides(form(x - 1)) == Sides::both);
  CHECK(region.sides(form(x - 2)) == Sides::below);
  CHECK(region.sides(form(x)) == Sides::above);
  CHECK(region.sides(form(x + y - 4)) == Sides::below);  // touches at a corner
  CHECK(region.sides(form(x - y)) == Sides::both);
  CHECK(region.sides(form(x + y + z + 1)) == Sides::above);
  CHECK(ProductRegion(1).sides(form(x)) == Sides::both);
}

TEST_CASE("the range of a form adds up over blocks") {
  const ProductRegion region = cube().below(form(x + y - 1));
  CHECK(region.range(LinearForm(x + y + 3 * z)) == Interval{0, 7});
  CHECK(region.range(LinearForm(Polynomial(ratio(1, 2)) * x - z)) == Interval{-2, ratio(1, 2)});
  CHECK(region.range(LinearForm(Polynomial(5))) == Interval{5, 5});
  CHECK(!ProductRegion(1).above(form(x)).range(LinearForm(x)));
}

TEST_CASE("a region is bounded if all of its blocks are") {
  CHECK(cube().bounded());
  const ProductRegion half = ProductRegion(2).above(form(x)).below(form(x - 1));
  CHECK(!half.bounded());
  CHECK_THROWS_AS(half.region(), Unbounded);
  CHECK(half.restricted({0}).bounded());
  CHECK(half.restricted({0}).dimension() == 1);
}

TEST_CASE("blocks of many vertices are not simple, and are simplified to boxes around them") {
  ProductRegion region(7);
  for (Variable v = 0; v < 7; ++v) {
    const Polynomial coordinate = Polynomial::variable(v);
    region = region.above(form(coordinate)).below(form(coordinate - 1));
  }
  CHECK(region.simple());
  Polynomial sum;
  for (Variable v = 0; v < 7; ++v) sum += Polynomial::variable(v);
  const ProductRegion cut = region.below(form(2 * sum - 1));  // x_0 + ... <= 1/2
  CHECK(!cut.simple());
  const ProductRegion box = cut.simplified();
  CHECK(box.simple());
  CHECK(box.block_count() == 7);
  CHECK(box.range(LinearForm(x)) == Interval{0, ratio(1, 2)});
}

TEST_CASE("a region from a polytope is one block, and is cut as any other") {
  const ProductRegion prism = cube().below(form(x + y - 3));
  const ProductRegion again(Polytope(3, prism.halfspaces()));
  CHECK(again.dimension() == 3);
  CHECK(again.block_count() == 1);
  CHECK(again.coordinates() == std::vector<std::vector<Variable>>{{0, 1, 2}});
  CHECK(again.bounded());
  CHECK(again.region().vertex_count() == 10);
  CHECK(again.range(LinearForm(x + y + 3 * z)) == Interval{0, 9});
  CHECK(again.sides(form(x + y - 3)) == Sides::below);
  const LinearForm by = form(2 * x - y + z - 1);
  const auto [below, above] = again.cut(by);
  const auto same = [](const ProductRegion& a, const ProductRegion& b) {
    return Polytope(3, a.halfspaces()).vertices() == Polytope(3, b.halfspaces()).vertices();
  };
  CHECK(same(below, prism.below(by)));
  CHECK(same(above, prism.above(by)));
}

TEST_CASE("after random cuts, forms have their extremes at the vertices") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    std::mt19937 engine(seed);
    const auto plane = [&] {
      const auto integer = [&] { return std::uniform_int_distribution<int>(-3, 3)(engine); };
      return form(integer() * x + integer() * y + integer() * z + integer());
    };
    ProductRegion region = cube();
    for (int i = 0; i < 5; ++i) {
      const LinearForm by = plane();
      if (by.is_constant() || region.sides(by) != Sides::both) continue;
      region = i % 2 == 0 ? region.below(by) : region.cut(by).second;
    }
    CHECK(region.unshared().halfspaces() == region.halfspaces());
    const Polytope polytope(3, region.halfspaces());
    CHECK(!polytope.flat());
    for (int i = 0; i < 5; ++i) {
      const LinearForm asked = plane();
      std::vector<Rational> values;
      for (const Point& vertex : polytope.vertices()) values.push_back(asked.at(vertex));
      const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
      CHECK(region.range(asked) == Interval{*least, *greatest});
    }
  }
}

}  // namespace
}  // namespace wmi
