#include "solver/messages/partial_sums.h"

#include <doctest/doctest.h>

#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

Rational total(const Problem& problem) {
  Task task;
  task.problem = problem;
  task.queries.push_back(wmi_of(truth));
  return solve(task, *make_exact_split(), *make_auto({})).answers[0].value->lower;
}

TEST_CASE("a long sum becomes one variable, and its summands differences") {
  SmallProblem p;
  const Polynomial x = p.unit_real("x"), y = p.unit_real("y"), z = p.unit_real("z");
  p.require(p.terms.less_equal(x + 2 * y + z, 2));
  p.weight(truth, x * y);
  const std::optional<PartialSums> changed = in_partial_sums(p.problem, p.goals);
  REQUIRE(changed);
  const Terms& terms = changed->problem.terms;
  const Atom& last = terms.atom(terms.node(changed->problem.assertions.back().node()).index);
  CHECK(last.form.polynomial() == Polynomial::variable(2) - 2);
  CHECK(total(changed->problem) == total(p.problem));
}

TEST_CASE("shorter sums come first") {
  SmallProblem p;
  const Polynomial x = p.unit_real("x"), y = p.unit_real("y"), z = p.unit_real("z");
  p.require(p.terms.less_equal(x + y + z, 2));
  p.require(p.terms.less_equal(2 * y + 2 * z, 3));
  const std::optional<PartialSums> changed = in_partial_sums(p.problem, p.goals);
  REQUIRE(changed);
  for (std::size_t i : {6, 7}) {
    const Terms& terms = changed->problem.terms;
    const Formula formula = changed->problem.assertions[i];
    CHECK(terms.atom(terms.node(formula.node()).index).form.coefficients.size() == 1);
  }
  CHECK(total(changed->problem) == total(p.problem));
}

TEST_CASE("sums of two reals, or of derived ones, are left alone") {
  SmallProblem p;
  const Polynomial x = p.unit_real("x"), y = p.unit_real("y");
  const Polynomial z = p.real("z", false);
  p.require(p.terms.equal(z, x));
  p.require(p.terms.less_equal(x + y + z, 2));
  p.require(p.terms.less_equal(x + y, 2));
  CHECK(!in_partial_sums(p.problem, p.goals));
}

TEST_CASE("random problems have the same integral in partial sums") {
  Random random(53);
  CAPTURE(random.seed());
  int changes = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Problem problem = random_problem(random, {.reals = 3, .booleans = 1, .atoms = 4});
    const Goal goal{truth, {{Polynomial(1), 0}}, {}};
    const std::optional<PartialSums> changed = in_partial_sums(problem, std::span(&goal, 1));
    if (!changed) continue;
    ++changes;
    CHECK(total(changed->problem) == total(problem));
  }
  CHECK(changes > 5);
}

}  // namespace
}  // namespace wmi::tests
