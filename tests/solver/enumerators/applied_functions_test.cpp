#include "solver/enumerators/applied_functions.h"

#include <doctest/doctest.h>

#include "solver/enumerator.h"
#include "solver/terms/query.h"

namespace wmi {
namespace {

/// 0 <= x <= 1, with weight exp(tanh(ite x < 1/2 then x else 2x)).
struct Nested {
  Task task;
  Polynomial x;

  Nested() {
    Terms& terms = task.problem.terms;
    x = Polynomial::variable(terms.declare_real("x"));
    task.problem.integrated = {true};
    task.problem.assertions = {terms.less_equal(0, x), terms.less_equal(x, 1)};
    const Polynomial piecewise = terms.choice(terms.less(2 * x, 1), x, 2 * x);
    task.problem.weights = {
        {truth, terms.apply(Function::exp, terms.apply(Function::tanh, piecewise))}};
    task.queries.emplace_back().kind = Query::Kind::wmi;
  }
};

TEST_CASE("each cell has the functions of its integrands, arguments first, without pieces") {
  Nested nested;
  const Plan plan = make_plan(nested.task);
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    std::vector<Polynomial> arguments;
    const auto cells = entry.make()->start(nested.task.problem, plan.goals, {});
    while (const std::optional<Cell> cell = cells->next()) {
      REQUIRE(cell->functions.size() == 2);
      CHECK(cell->functions[0].function == Function::tanh);
      CHECK(cell->functions[1].function == Function::exp);
      CHECK(cell->functions[1].argument == Polynomial::variable(cell->functions[0].variable));
      CHECK(cell->integrands[0] == Polynomial::variable(cell->functions[1].variable));
      arguments.push_back(cell->functions[0].argument);
    }
    REQUIRE(arguments.size() == 2);
    CHECK(((arguments[0] == nested.x && arguments[1] == 2 * nested.x) ||
           (arguments[1] == nested.x && arguments[0] == 2 * nested.x)));
  }
}

TEST_CASE("a Boolean in the argument of a function is decided, not summed over") {
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Formula b = terms.declare_boolean("b");
  task.problem.integrated = {true};
  task.problem.assertions = {terms.less_equal(0, x), terms.less_equal(x, 1)};
  task.problem.weights = {{truth, terms.apply(Function::exp, terms.choice(b, x, Polynomial(1)))}};
  task.queries.emplace_back().kind = Query::Kind::wmi;
  const Plan plan = make_plan(task);
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    std::size_t count = 0;
    const auto cells = entry.make()->start(task.problem, plan.goals, {});
    while (cells->next()) ++count;
    CHECK(count == 2);
  }
}

}  // namespace
}  // namespace wmi
