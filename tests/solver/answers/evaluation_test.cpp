#include "solver/answers/evaluation.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
const std::vector<Halfspace> unit_interval = {{{-1}, 0}, {{1}, 1}},
                             unit_square = {{{-1, 0}, 0}, {{1, 0}, 1}, {{0, -1}, 0}, {{0, 1}, 1}};

struct Exact {
  const std::unique_ptr<Integrator> integrator = make_triangulation({});
  const Evaluation evaluation{*integrator};
};

TEST_CASE_FIXTURE(Exact,
                  "a plain cell is integrated factor by factor, and its images pushed forward") {
  Cell cell{{0, 1}, PlainCell{unit_square, {{0, LinearForm(x), x}}}, {1, x * y}, {{0}, {1}}};
  const Evaluation::Result found = evaluation(cell);
  CHECK(found.integrals == std::vector<Interval>{Interval(1), Interval(ratio(1, 4))});
  CHECK(found.cells == 1);
  CHECK(found.laws.size() == 1);
}

TEST_CASE_FIXTURE(Exact, "a cell without volume has integrals 0 and counts no cell") {
  const Cell cell{{0}, PlainCell{std::vector<Halfspace>{{{-1}, 0}, {{1}, 0}}}, {1}, {{0}}};
  const Evaluation::Result found = evaluation(cell);
  CHECK(found.integrals == std::vector<Interval>{Interval()});
  CHECK(found.cells == 0);
}

TEST_CASE_FIXTURE(Exact, "a slice is integrated in its own coordinates") {
  const Cell cell{{0}, SliceCell{unit_interval}, {x}, {{0, 1}}};
  CHECK(evaluation(cell).integrals == std::vector<Interval>{Interval(ratio(1, 2))});
}

TEST_CASE_FIXTURE(Exact,
                  "an open cell has no integrals, and the volume times its weight as a bound") {
  Cell cell{{0}, OpenCell{{{0, Interval(0, 1)}}, OpenCell::Bound{unit_interval, 3}}};
  CHECK(evaluation(cell).integrals.empty());
  CHECK(evaluation.most_weight(cell) == Rational(3));
  std::get<OpenCell>(cell.kind).bound.reset();
  CHECK_FALSE(evaluation.most_weight(cell));
}

TEST_CASE("a product is the product of its factors, and equal parts are integrated once") {
  SmallProblem half;  // of its own: 0 <= x <= 1/2
  const Polynomial z = half.real("");
  half.require(half.terms.less_equal(0, z));
  half.require(half.terms.less_equal(z, ratio(1, 2)));
  int calls = 0;
  const std::unique_ptr<Integrator> integrator = make_triangulation({});
  const Evaluation evaluation(
      *integrator, [&](const Part&, std::span<const Polynomial> monomials, const Evaluation&) {
        ++calls;
        Evaluation::Result result{{}, 1};
        for (const Polynomial& monomial : monomials)
          result.integrals.emplace_back(monomial == Polynomial(1) ? ratio(1, 2) : ratio(1, 8));
        return result;
      });
  const ProductRegion interval = ProductRegion(1).above(LinearForm(x)).below(LinearForm(x - 1));
  const Polynomial w = Polynomial::variable(2);
  const Cell cell{{0, 1, 2},
                  ProductCell{{0}, interval, {{half.problem, {1}}, {half.problem, {2}}}, nullptr},
                  {x * y * w},
                  {{0}}};
  const Evaluation::Result found = evaluation(cell);
  CHECK(found.integrals == std::vector<Interval>{Interval(ratio(1, 128))});  // 1/2 * 1/8 * 1/8
  CHECK(found.cells == 2);
  CHECK(calls == 1);
}

TEST_CASE_FIXTURE(Exact, "an unbounded cell is refused, with a direction in its coordinates") {
  const Cell cell{{0}, PlainCell{std::vector<Halfspace>{{{-1}, 0}}}, {1}, {{0}}};
  try {
    evaluation(cell);
    FAIL("not refused");
  } catch (const Unbounded& unbounded) {
    CHECK(unbounded.direction() == Point{1});
  }
}

}  // namespace
}  // namespace wmi::tests
