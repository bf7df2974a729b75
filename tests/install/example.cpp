// Half of the unit square lies below its diagonal, and the mean of x over it is 2/3.

#include <cstdio>

#include "frontends/formats/format.h"
#include "solver/solve.h"

int main() {
  const wmi::Script script = wmi::frontends::read({"triangle", R"(
    (declare-const x Real)
    (declare-const y Real)
    (assert (and (<= 0 x 1) (<= 0 y 1)))
    (get-probability (< y x))
    (get-expectation x :given (< y x))
  )"});
  const wmi::Solution solution = wmi::solve(script.at(0), *wmi::make_split(), *wmi::make_auto({}));

  for (const wmi::Answer& answer : solution.answers)
    std::puts(wmi::to_string(answer.value.value().midpoint()).c_str());
  return solution.answers.at(0).value == wmi::Interval(wmi::ratio(1, 2)) &&
                 solution.answers.at(1).value == wmi::Interval(wmi::ratio(2, 3))
             ? 0
             : 1;
}
