#include "solver/terms/problem.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("nested conjunctions are flattened, in order and each conjunct once") {
  Problem problem;
  Terms& terms = problem.terms;
  const Formula a = terms.declare_boolean("a"), b = terms.declare_boolean("b"),
                c = terms.declare_boolean("c");
  const Formula either = terms.either(a, c);
  problem.assertions = {terms.both(a, terms.both(b, either)), b, !c};
  CHECK(conjuncts(problem) == std::vector<Formula>{a, b, either, !c});
}

TEST_CASE("a negated conjunction is one conjunct") {
  Problem problem;
  Terms& terms = problem.terms;
  const Formula both = terms.both(terms.declare_boolean("a"), terms.declare_boolean("b"));
  problem.assertions = {!both};
  CHECK(conjuncts(problem) == std::vector<Formula>{!both});
  CHECK(conjuncts(Problem()).empty());
}

TEST_CASE("a form is integrated if all of its variables are") {
  Problem problem;
  problem.integrated = {true, false};
  const Polynomial x = Polynomial::variable(problem.terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(problem.terms.declare_real("y"));
  CHECK(in_integrated(problem, LinearForm(2 * x - 1)));
  CHECK(!in_integrated(problem, LinearForm(x + y)));
  CHECK(in_integrated(problem, LinearForm(Polynomial(3))));
}

}  // namespace
}  // namespace wmi
