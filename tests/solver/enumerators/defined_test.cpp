#include "solver/enumerators/defined.h"

#include <doctest/doctest.h>

#include "tests/solver/exact_values.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

/// 0 <= w <= 1, z derived.
struct Derived : SmallProblem {
  const Polynomial w = unit_real("w"), z = real("z", false);
  const std::vector<Goal> mean = {{truth, {{z, 0}}, {}}};
};

TEST_CASE_FIXTURE(Derived, "an equation defines a derived real") {
  require(terms.equal(z, w + 1));
  const std::optional<Defined> found = define(problem, mean);
  REQUIRE(found);
  CHECK(found->problem.integrated == std::vector<bool>{true});
  CHECK(found->variables == std::vector<Variable>{0});
  CHECK(found->goals[0].summands[0].term == Polynomial::variable(0) + 1);
}

TEST_CASE_FIXTURE(Derived,
                  "two equations under a condition and its negation define a derived real") {
  const Formula small = terms.less(w, ratio(1, 2));
  require(terms.either(!small, terms.equal(z, w)));
  require(terms.either(small, terms.equal(z, 0)));
  std::optional<Defined> found = define(problem, mean);
  REQUIRE(found);
  found->problem.weights = {{truth, found->goals[0].summands[0].term}};
  CHECK(wmi(found->problem) == ratio(1, 8));  // the integral of w from 0 to 1/2
}

TEST_CASE_FIXTURE(Derived, "a derived real without an equation is not defined") {
  require(terms.less_equal(z, w));
  require(terms.less_equal(w, z));
  CHECK_FALSE(define(problem, mean));
}

}  // namespace
}  // namespace wmi::tests
