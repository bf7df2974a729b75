#include "solver/significant_digits.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

/// The integral of x^2 over a triangle.
Task triangle() {
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(terms.declare_real("y"));
  task.problem.integrated = {true, true};
  task.problem.assertions = {terms.less_equal(0, x), terms.less_equal(0, y),
                             terms.less_equal(x + y, 1)};
  task.problem.weights = {{truth, x * x}};
  task.queries.emplace_back().kind = Query::Kind::wmi;
  return task;
}

TEST_CASE("an answer to some digits encloses the exact one, that narrowly") {
  const Task task = triangle();
  const std::unique_ptr<Integrator> exact = make_auto({});
  const CountedSolution found = solve_to_digits(6, task, *make_split(), *exact, {});
  const Interval value = found.solution.answers[0].value.value();
  CHECK(value.contains(ratio(1, 12)));
  CHECK((value.upper - value.lower) * power(Rational(10), 6) <= value.lower);
}

TEST_CASE("vertices are counted") {
  const Task task = triangle();
  const CountedSolution found = solve_counted(task, *make_split(), *make_auto({}), {});
  CHECK(found.vertices == 3);
  CHECK(found.solution.answers[0].value == Interval(ratio(1, 12)));
}

}  // namespace
}  // namespace wmi
