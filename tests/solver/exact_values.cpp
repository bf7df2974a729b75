#include "tests/solver/exact_values.h"

#include <doctest/doctest.h>

#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {

std::vector<Rational> values(const Problem& problem, std::vector<Query> queries) {
  static std::size_t calls = 0;
  const Task task{problem, std::move(queries)};
  const auto answers = [&](const EnumeratorEntry& enumerator, const IntegratorEntry& integrator) {
    CAPTURE(enumerator.name);
    CAPTURE(integrator.name);
    std::vector<Interval> result;
    for (const Answer& answer : solve(task, *enumerator.make(), *integrator.make({})).answers) {
      REQUIRE(answer.value);
      result.push_back(*answer.value);
    }
    return result;
  };
  std::vector<Rational> result;
  const EnumeratorEntry z3{"z3", "", make_z3};
  const IntegratorEntry triangulation{"triangulation", "", make_triangulation};
  for (const Interval& value : answers(z3, triangulation)) {
    REQUIRE(value.exact());
    result.push_back(value.lower);
  }
  const auto agree = [&](const std::vector<Interval>& others) {
    for (std::size_t i = 0; i < result.size(); ++i) CHECK(others[i].contains(result[i]));
  };
  for (const EnumeratorEntry& enumerator : enumerators())
    if (enumerator.name != z3.name) agree(answers(enumerator, triangulation));
  if (++calls % 5 == 0)
    for (const IntegratorEntry& integrator : integrators())
      if (integrator.name != triangulation.name) agree(answers(enumerators()[0], integrator));
  return result;
}

Rational wmi(const Problem& problem, Formula event) { return values(problem, {wmi_of(event)})[0]; }

}  // namespace wmi::tests
