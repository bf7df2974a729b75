#include "solver/enumerators/cell_builder.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("determined goals share a plain cell; a density adds a slice, or a point mass") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  small.weight(truth, x);
  small.goals = {{truth, {{Polynomial(1), 0}, {x, 1, 2}}, {}},
                 {truth, {}, Slice{x, ratio(1, 2), 2, 3, 4}},
                 {truth, {}, Slice{Polynomial(7), 7, 5, 6, 7}}};
  const Defined defined = *define(small.problem, small.goals);
  const CellBuilder builder(defined);
  Branch branch = small.branch();
  std::vector<Cell> cells;
  builder.add_determined(branch, small.unit_cube(), builder.all_goals(), cells);
  REQUIRE(cells.size() == 2);
  CHECK(std::holds_alternative<SliceCell>(cells[0].kind));
  CHECK(cells[0].sums == std::vector<std::vector<std::size_t>>{{3, 4}});
  CHECK(cells[0].integrands[0] == Polynomial(ratio(1, 2)));
  CHECK(std::holds_alternative<PlainCell>(cells[1].kind));
  CHECK(cells[1].integrands == std::vector<Polynomial>{x, x * x * x, x});
  CHECK(cells[1].sums == std::vector<std::vector<std::size_t>>{{0}, {1}, {5}});
}

TEST_CASE("an open cell has an upper bound of the weight, and the ranges of the terms") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  small.weight(truth, x + 1);
  small.goals = {{truth, {{Polynomial(1), 0}, {x, 1, 2}}, {}},
                 {truth, {}, Slice{x, ratio(1, 2), 2, 3, 4}},
                 {truth, {}, Slice{x, 3, 5, 6, 7}}};
  const Defined defined = *define(small.problem, small.goals);
  const CellBuilder builder(defined);
  std::vector<Cell> cells;
  builder.add_open(small.branch(), small.unit_cube(), builder.all_goals(), cells);
  REQUIRE(cells.size() == 2);  // x is nowhere 3
  const auto& open = std::get<OpenCell>(cells[0].kind);
  CHECK(open.bound->weight == 2);
  REQUIRE(open.missing.size() == 2);
  CHECK(open.missing[0].range == Interval(Rational(1)));
  CHECK(open.missing[1].range == Interval(0, 1));
  const auto& slice = std::get<OpenCell>(cells[1].kind);
  CHECK(cells[1].variables.empty());
  CHECK(slice.bound->weight == 2);
  REQUIRE(slice.missing.size() == 2);
  CHECK(slice.missing[0].sum == 3);
  CHECK(slice.missing[1].sum == 4);
}

TEST_CASE("an open cell of an unbounded region has no bound") {
  SmallProblem small;
  small.real("x");
  const Defined defined = *define(small.problem, small.goals);
  const CellBuilder builder(defined);
  std::vector<Cell> cells;
  builder.add_open(small.branch(), ProductRegion(1), builder.all_goals(), cells);
  REQUIRE(cells.size() == 1);
  CHECK_FALSE(std::get<OpenCell>(cells[0].kind).bound);
}

TEST_CASE("independent components make one product cell") {
  SmallProblem small;
  const Polynomial x = small.real("x"), y = small.real("y");
  small.real("z");
  const Formula a = small.terms.declare_boolean("a"), b = small.terms.declare_boolean("b");
  small.require(small.terms.either(small.terms.less(x, ratio(1, 2)), a));
  small.require(small.terms.either(small.terms.less(y, ratio(1, 2)), b));
  small.terms.declare_boolean("free");
  const Defined defined = *define(small.problem, small.goals);
  const CellBuilder builder(defined);
  const Branch branch = small.branch();
  CHECK(builder.may_decompose(Outcome::open, branch, small.unit_cube()));
  CHECK(builder.decomposes(branch, small.unit_cube()));
  std::vector<Cell> cells;
  REQUIRE(builder.add_product(branch, small.unit_cube(), cells));
  REQUIRE(cells.size() == 1);
  const auto& product = std::get<ProductCell>(cells[0].kind);
  CHECK(product.parts.size() == 2);
  CHECK(product.coordinates == std::vector<Variable>{2});
  CHECK(cells[0].integrands == std::vector<Polynomial>{2});  // `free` is true or false
  CHECK(std::holds_alternative<OpenCell>(product.unsearched->kind));
}

}  // namespace
}  // namespace wmi::tests
