#include "solver/enumerators/goal.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("equal integrals are summed once, and factors without pieces share a goal") {
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  task.problem.integrated = {true};
  const Polynomial relu = terms.choice(terms.less(0, x), x, 0);
  const auto ask = [&](Query::Kind kind, const Polynomial& term) {
    Query query;
    query.kind = kind;
    query.term = term;
    task.queries.push_back(query);
  };
  ask(Query::Kind::wmi, {});
  ask(Query::Kind::expectation, x);
  ask(Query::Kind::variance, x);
  ask(Query::Kind::expectation, relu);
  ask(Query::Kind::density, relu);
  ask(Query::Kind::satisfiable, {});
  const Plan plan = make_plan(task);
  REQUIRE(plan.goals.size() == 3);
  CHECK(plan.goals[0].summands.size() == 3);  // 1, x, x^2
  CHECK(plan.goals[1].summands.size() == 1);  // the ReLU has pieces of its own
  CHECK(plan.goals[2].slice);
  CHECK(plan.parts[0].first == plan.parts[1].total);
  CHECK(plan.parts[1].first == plan.parts[2].first);
  CHECK(plan.parts[4].total == plan.parts[0].first);
  CHECK_FALSE(plan.parts[5].first);
  CHECK(plan.sums == 7);  // three, the ReLU, and mass, left, right
}

}  // namespace
}  // namespace wmi
