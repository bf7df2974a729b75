#include "solver/terms/substitution.h"

#include <doctest/doctest.h>

#include "tests/solver/brute_force.h"
#include "tests/solver/random_problem.h"

namespace wmi {
namespace {

using tests::holds;

/// The declared variables of a problem, all in scope.
Task extracted(const Task& task) {
  std::vector<Variable> reals;
  for (Variable i = 0; i < task.problem.integrated.size(); ++i) reals.push_back(i);
  std::vector<std::uint32_t> booleans;
  for (std::uint32_t i = 0; i < task.problem.terms.boolean_count(); ++i) booleans.push_back(i);
  return extract(task.problem.terms, reals, booleans, task);
}

TEST_CASE("extracting twice is extracting once") {
  tests::Random random(30);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    Task task{tests::random_problem(random, {2, 2, 8, 3, true}), {}};
    task.queries.push_back(tests::wmi_of(tests::random_formula(random, task.problem, 2)));
    const Task once = extracted(task);
    CHECK(extracted(once) == once);
  }
}

TEST_CASE("extraction keeps the meaning at every point") {
  tests::Random random(31);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Problem problem = tests::random_problem(random, {2, 2, 8, 3, true});
    const Problem copy = extracted({problem, {}}).problem;
    const std::vector<Rational> point = {random.rational(), random.rational()};
    const std::vector<bool> booleans = {random.chance(50), random.chance(50)};
    for (std::size_t k = 0; k < problem.assertions.size(); ++k)
      CHECK(holds(problem.terms, problem.assertions[k], point, booleans) ==
            holds(copy.terms, copy.assertions[k], point, booleans));
  }
}

TEST_CASE("an observation removes its variable and keeps the rest") {
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(terms.declare_real("y"));
  task.problem.integrated = {true, true};
  task.problem.assertions = {terms.less(x, y), terms.less_equal(x, 2)};
  task.problem.weights = {{truth, x * y}};
  task.problem.observations = {{0, Rational(2)}};
  const Task sliced = apply_observations(task);
  CHECK(sliced.problem.integrated == std::vector{true});
  CHECK(sliced.problem.terms.real_name(0) == "y");
  CHECK(sliced.problem.assertions[1] == truth);  // 2 <= 2
  CHECK(sliced.problem.weights[0].value == 2 * Polynomial::variable(0));
}

}  // namespace
}  // namespace wmi
