#include "solver/answers/explain.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("the patterns of two units, by falling mass") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  const Polynomial first = small.terms.choice(small.terms.less(x, ratio(1, 4)), 0, x),
                   second = small.terms.choice(small.terms.less(x, ratio(3, 4)), 0, x);
  const std::vector<Variable> units = {first.variables()[0], second.variables()[0]};
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    const Explanation found = explain(small.problem, units, *entry.make(), *make_auto({}));
    CHECK(found.definitions == units);
    REQUIRE(found.patterns.size() == 3);
    CHECK(found.patterns[0].holds == std::vector<bool>{false, true});
    CHECK(found.patterns[0].mass == Interval(ratio(1, 2)));
    CHECK(found.patterns[0].cells == 1);
    CHECK(found.patterns[1].holds == std::vector<bool>{false, false});  // 1/4, as the last one
    CHECK(found.patterns[2].holds == std::vector<bool>{true, true});
  }
}

TEST_CASE("definitions whose condition depends on a Boolean are left out") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  const Formula b = small.terms.declare_boolean("b");
  const Polynomial term = small.terms.choice(b, x, 0);
  CHECK(explain(small.problem, {term.variables()[0]}, *make_split(), *make_auto({}))
            .definitions.empty());
}

TEST_CASE("derived reals have no patterns") {
  SmallProblem small;
  small.real("z", false);
  CHECK_THROWS_AS(explain(small.problem, {}, *make_split(), *make_auto({})), Error);
}

}  // namespace
}  // namespace wmi::tests
