#include "solver/messages/block_integrator.h"

#include <doctest/doctest.h>

#include "solver/laws/law.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

struct Integrated {
  std::unique_ptr<Enumerator> enumerator = make_split();
  BlockIntegrator integrator{*enumerator, {}};
};

Piecewise piece(const Rational& from, const Rational& to, std::vector<Rational> coefficients) {
  return Piecewise({{from, to, DensePolynomial(Univariate(std::move(coefficients)))}});
}

TEST_CASE_FIXTURE(Integrated, "a triangle with a factor: by hand") {
  SmallProblem p;  // 0 <= x <= y <= 1
  const Polynomial x = p.unit_real("x"), y = p.unit_real("y");
  p.require(p.terms.less_equal(x, y));
  const Piecewise factor = piece(ratio(1, 2), 1, {0, 2});  // 2y on [1/2, 1]
  const auto found = integrator.density({p.problem, {nullptr, &factor}}, 0);
  // The integral of 2y from max(x, 1/2) to 1.
  REQUIRE(found.value.pieces().size() == 2);
  CHECK(found.value.limits(ratio(1, 4)).first == ratio(3, 4));
  CHECK(found.value.pieces()[1].value.univariate() == Univariate({1, 0, -1}));
  CHECK(found.cells == 1);
  const auto integral = integrator.integral({p.problem, {nullptr, &factor}});
  CHECK(integral.value == integral_of_product(found.value, piece(0, 1, {1})));
}

TEST_CASE_FIXTURE(Integrated, "the factors of three reals cut their cells where pieces meet") {
  SmallProblem p;
  const Polynomial x = p.unit_real("x"), y = p.unit_real("y"), z = p.unit_real("z");
  p.require(p.terms.less_equal(x + y + z, 2));
  const Piecewise steps({{0, ratio(1, 2), DensePolynomial(Rational(1))},
                         {ratio(1, 2), 1, DensePolynomial(Rational(3))}});
  const BlockProblem block{p.problem, {nullptr, &steps, &steps}};
  // The same with weights that the search decides itself.
  BlockProblem without{p.problem, {nullptr, nullptr, nullptr}};
  Problem& weighted = without.problem;
  for (const Polynomial& variable : {y, z})
    weighted.weights.push_back({weighted.terms.less(ratio(1, 2), variable), Polynomial(3)});
  CHECK(integrator.integral(block).value == integrator.integral(without).value);
  const auto density = integrator.density(block, 0);
  CHECK(integral_of_product(density.value, piece(0, 1, {1})) == integrator.integral(block).value);
  const Law law(integrator.law(block, x + y).value), same(integrator.law(without, x + y).value);
  CHECK(law == same);
}

TEST_CASE_FIXTURE(Integrated, "cells may come in any order") {
  SmallProblem p;  // weight 3 right of 1/2, 1 left of it: the right one is found first
  const Polynomial x = p.unit_real("x");
  p.weight(!p.terms.less_equal(x, ratio(1, 2)), 3);
  const auto found = integrator.density({p.problem, {nullptr}}, 0);
  REQUIRE(found.value.pieces().size() == 2);
  CHECK(found.value.limits(ratio(1, 4)).first == 1);
  CHECK(found.value.limits(ratio(3, 4)).first == 3);
}

TEST_CASE_FIXTURE(Integrated, "an unbounded block is refused") {
  SmallProblem p;
  const Polynomial x = p.real("x"), y = p.unit_real("y");
  p.require(p.terms.less_equal(x, y));
  CHECK_THROWS_AS(integrator.density({p.problem, {nullptr, nullptr}}, 1), Unbounded);
}

}  // namespace
}  // namespace wmi::tests
