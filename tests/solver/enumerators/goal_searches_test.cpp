#include "solver/enumerators/goal_searches.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE(
    "determined goals share a leaf, open ones are searched below it, closed ones are dropped") {
  SmallProblem small;
  const Formula a = small.terms.declare_boolean("a"), b = small.terms.declare_boolean("b");
  small.goals = {{a, {}, {}}, {b, {}, {}}, {!a, {}, {}}, {truth, {}, {}}};
  Branch branch = small.branch();
  branch.decide(branch.decision_on(a.node(), true));
  CHECK(inspect(small.goals[0], branch).outcome == Outcome::determined);
  CHECK(inspect(small.goals[1], branch).outcome == Outcome::open);
  CHECK(inspect(small.goals[1], branch).formula == b);
  CHECK(inspect(small.goals[2], branch).outcome == Outcome::closed);

  GoalSearches searches;
  CHECK(searches.of_problem());
  CHECK(searches.reach_leaf(outcomes(small.goals, branch)) == std::vector<std::size_t>{0, 3});
  REQUIRE(searches.next(1));
  CHECK_FALSE(searches.of_problem());
  CHECK(searches.goal() == 1);
  CHECK(searches.bottom() == 1);
  CHECK_FALSE(searches.next(1));
  CHECK(searches.of_problem());
  CHECK(searches.bottom() == 0);
}

TEST_CASE("a goal is open while its term, its slice or its law is") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  const Polynomial relu = small.terms.choice(small.terms.less(0, x), x, 0);
  small.goals = {{truth, {{relu, 0}}, {}},
                 {truth, {}, Slice{relu, 1, 0, 1, 2}},
                 {truth, {}, {}, {{relu, 0}}},
                 {truth, {{x, 0}}, {}}};
  const Branch branch = small.branch();
  for (std::size_t i = 0; i < 3; ++i) CHECK(inspect(small.goals[i], branch).decision);
  CHECK(inspect(small.goals[3], branch).outcome == Outcome::determined);
}

}  // namespace
}  // namespace wmi::tests
