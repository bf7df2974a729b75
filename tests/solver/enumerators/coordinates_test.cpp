#include "solver/enumerators/coordinates.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("the integrated reals, in order, are the coordinates") {
  SmallProblem small;
  const Polynomial x = small.real("x");
  small.real("derived", false);
  const Polynomial y = small.real("y");
  const Coordinates coordinates(small.problem);
  CHECK(coordinates.variables() == std::vector<Variable>{0, 2});
  CHECK(coordinates.from_reals(x * y) == Polynomial::variable(0) * Polynomial::variable(1));
  const LinearForm form(x + 2 * y - 1);
  CHECK(coordinates.from_reals(form) ==
        LinearForm(Polynomial::variable(0) + 2 * Polynomial::variable(1) - 1));
  CHECK(coordinates.to_reals(coordinates.from_reals(form)) == form);
}

}  // namespace
}  // namespace wmi::tests
