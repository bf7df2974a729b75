#include "frontends/wmi/significant_digits.h"

#include <doctest/doctest.h>

#include "frontends/formats/format.h"

namespace wmi::frontends {
namespace {

const char* const triangle =
    "(declare-const x Real) (declare-const y Real)\n"
    "(assert (and (<= 0 x) (<= 0 y) (<= (+ x y) 1))) (weight true (* x x)) (get-wmi)";

TEST_CASE("an answer to some digits encloses the exact one, that narrowly") {
  const Task task = read_smtlib({"triangle", triangle}).at(0);
  const std::unique_ptr<Integrator> exact = make_auto({});
  const CountedSolution found = solve_to_digits(6, task, *make_split(), *exact, {});
  const Interval value = found.solution.answers[0].value.value();
  CHECK(value.contains(ratio(1, 12)));
  CHECK((value.upper - value.lower) * power(Rational(10), 6) <= value.lower);
}

TEST_CASE("vertices are counted") {
  const Task task = read_smtlib({"triangle", triangle}).at(0);
  const CountedSolution found = solve_counted(task, *make_split(), *make_auto({}), {});
  CHECK(found.vertices == 3);
  CHECK(found.solution.answers[0].value == Interval(ratio(1, 12)));
}

}  // namespace
}  // namespace wmi::frontends
