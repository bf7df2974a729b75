#include "solver/enumerators/split_search.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

std::shared_ptr<const Defined> defined(const SmallProblem& small) {
  return std::make_shared<const Defined>(*define(small.problem, small.goals));
}

/// The unit interval in four cells, with weights 1 to 4.
struct FourCells : SmallProblem {
  const Polynomial x = unit_real("x");

  FourCells() {
    const Formula low = terms.less(x, ratio(1, 2));
    weight(low, terms.choice(terms.less(x, ratio(1, 4)), 1, 2));
    weight(!low, terms.choice(terms.less(x, ratio(3, 4)), 3, 4));
  }
};

Polynomial weights(Cells& cells) {
  Polynomial sum;
  while (const std::optional<Cell> cell = cells.next()) sum += cell->integrands.at(0);
  return sum;
}

TEST_CASE_FIXTURE(FourCells, "cells that are forked off are those that are missing from the rest") {
  CHECK(weights(*std::make_unique<SplitSearch>(defined(*this), std::stop_token(), SearchRules{})) ==
        Polynomial(10));
  SplitSearch search(defined(*this), {}, {});
  const Polynomial first = search.next()->integrands.at(0);
  const std::unique_ptr<Cells> half = search.fork();
  REQUIRE(half);
  const Polynomial others = weights(*half);
  CHECK_FALSE(others.zero());
  CHECK(first + weights(search) + others == Polynomial(10));
}

TEST_CASE_FIXTURE(FourCells, "the rest of a search is open cells") {
  SplitSearch search(defined(*this), {}, {});
  search.next();
  const std::optional<std::vector<Cell>> rest = search.rest();
  REQUIRE(rest);
  REQUIRE_FALSE(rest->empty());
  for (const Cell& cell : *rest) {
    const auto& open = std::get<OpenCell>(cell.kind);
    REQUIRE(open.bound);
    CHECK(open.bound->weight <= 4);
    CHECK(open.missing.size() == 1);
  }
  CHECK_FALSE(search.next());
}

TEST_CASE_FIXTURE(FourCells, "regions below the threshold are left open") {
  SplitSearch search(defined(*this), {},
                     {Branching::most_used,
                      LeaveOpen{Rational(100), [](const ProductRegion&) { return Rational(1); }}});
  const std::optional<Cell> only = search.next();
  REQUIRE(only);
  CHECK(std::holds_alternative<OpenCell>(only->kind));
  CHECK_FALSE(search.next());
}

TEST_CASE("a problem of two parts decomposes, one of a single part does not") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.unit_real("y");
  const Formula a = small.terms.declare_boolean("a"), b = small.terms.declare_boolean("b");
  small.require(small.terms.either(small.terms.less(x, ratio(1, 2)), a));
  CHECK_FALSE(SplitSearch(defined(small), {}, {}).decomposes());
  small.require(small.terms.either(small.terms.less(y, ratio(1, 2)), b));
  CHECK(SplitSearch(defined(small), {}, {}).decomposes());
  SplitSearch search(defined(small), {}, {});
  const std::optional<Cell> cell = search.next();
  REQUIRE(cell);
  CHECK(std::get<ProductCell>(cell->kind).parts.size() == 2);
}

TEST_CASE("of very many atoms the most even cut is the first, so that half of them are implied") {
  SmallProblem many;
  const Polynomial x = many.unit_real("x");
  Formula any = falsity;
  for (int i = 1; i <= 1000; ++i) any = many.terms.either(any, many.terms.less(x, ratio(i, 1001)));
  many.require(any);
  SplitSearch search(defined(many), {}, {});
  std::size_t cells = 0;
  while (search.next()) ++cells;
  CHECK(cells < 300);  // two bisections, and the rest; one after the other, there would be 1000
}

TEST_CASE_FIXTURE(FourCells, "a search that is told to stop throws") {
  std::stop_source source;
  SplitSearch search(defined(*this), source.get_token(), {});
  source.request_stop();
  CHECK_THROWS_AS(search.next(), Stopped);
}

}  // namespace
}  // namespace wmi::tests
