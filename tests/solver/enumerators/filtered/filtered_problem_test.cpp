#include "solver/enumerators/filtered/filtered_problem.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

const Rational long_weight = Rational(0.1f);  // of a network: long

std::shared_ptr<const FilteredProblem> filtered(const SmallProblem& small) {
  return FilteredProblem::make(
      std::make_shared<const Defined>(*define(small.problem, small.goals)));
}

/// One unit over a unit interval.
struct OneUnit : SmallProblem {
  const Polynomial x = unit_real("x");

  void ask(const Rational& factor) {
    const Polynomial unit = terms.choice(terms.less(0, factor * x - 1), factor * x - 1, 0);
    goals = {{terms.less(unit, 1), {{Polynomial(1), 0}}, {}}};
  }
};

TEST_CASE_FIXTURE(OneUnit,
                  "a unit with a long weight is for doubles, one with a short weight not") {
  ask(long_weight);
  const auto found = filtered(*this);
  REQUIRE(found);
  CHECK(found->forms->dimension() == 1);
  CHECK(found->lower[0].bound == 0);
  CHECK(found->upper[0].bound == 1);
  CHECK(found->sides.size() == 2);
  ask(ratio(3, 2));
  CHECK_FALSE(filtered(*this));
}

TEST_CASE_FIXTURE(OneUnit, "the tightest bounds are the sides of the box") {
  ask(long_weight);
  require(terms.less(x, ratio(3, 4)));
  require(terms.less(x, ratio(7, 8)));
  require(!terms.less(2 * x, ratio(1, 2)));
  require(terms.less(-3 * x, 5));
  const auto found = filtered(*this);
  REQUIRE(found);
  CHECK(found->lower[0].bound == ratio(1, 4));
  CHECK(found->upper[0].bound == ratio(3, 4));
  // Each side is a literal that holds in the box, and the sign is that of its form.
  const Terms& own = found->defined->problem.terms;
  for (const bool top : {false, true}) {
    const FilteredPolytope::Side& side = top ? found->upper[0] : found->lower[0];
    const PathDecision& literal = found->sides[top ? 1 : 0];
    CHECK(literal.node == side.name);
    const LinearForm& form = own.atom(own.node(side.name).index).form;
    CHECK(form.at(std::vector<Rational>{side.bound}) == 0);
    CHECK(sgn(form.coefficients[0].second) == side.sign);
    CHECK((form.at(std::vector<Rational>{ratio(1, 2)}) < 0) == literal.holds);
  }
}

TEST_CASE_FIXTURE(OneUnit, "problems of another kind are left to exact numbers") {
  SUBCASE("no bound") { real("y"); }
  SUBCASE("one bound") { require(terms.less(real("y"), 1)); }
  SUBCASE("a bound that is only one of two cases") {
    const Polynomial y = real("y");
    require(terms.less(0, y));
    require(terms.either(terms.less(y, 1), terms.less(y, 2)));
  }
  SUBCASE("a flat box") { require(terms.less_equal(1, x)); }
  SUBCASE("an empty box") { require(terms.less_equal(2, x)); }
  SUBCASE("a box beyond doubles") {
    const Polynomial y = real("y");
    Rational huge = 1;
    mpq_mul_2exp(huge.get_mpq_t(), huge.get_mpq_t(), 2000);
    require(terms.less(0, y));
    require(terms.less(y, huge));
  }
  SUBCASE("a Boolean") { require(terms.either(terms.declare_boolean("b"), terms.less(x, 1))); }
  SUBCASE("many reals") {
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) unit_real(name);
  }
  SUBCASE("a definition of degree 2") {
    weight(truth, terms.choice(terms.less(x, ratio(1, 2)), x * x, 1));
  }
  ask(long_weight);
  CHECK_FALSE(filtered(*this));
}

TEST_CASE_FIXTURE(OneUnit, "derived reals are replaced first") {
  const Polynomial z = real("z", false);
  require(terms.equal(z, x));
  const Polynomial unit = terms.choice(terms.less(0, long_weight * z - 1), long_weight * z - 1, 0);
  goals = {{terms.less(unit, 1), {{Polynomial(1), 0}}, {}}};
  const auto found = filtered(*this);
  REQUIRE(found);
  CHECK(found->forms->dimension() == 1);
}

}  // namespace
}  // namespace wmi::tests
