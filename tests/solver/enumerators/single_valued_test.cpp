#include "solver/enumerators/single_valued.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("a derived real with two values on a region with volume is refused, with a point") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), z = small.real("z", false);
  small.require(small.terms.either(small.terms.equal(z, x), small.terms.equal(z, 2)));
  try {
    check_single_valued(small.problem, {});
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("'z' has two values where x = "));
  }
}

TEST_CASE("a derived real with two values on a face only is accepted") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), z = small.real("z", false);
  const Formula below = small.terms.less_equal(x, ratio(1, 2)),
                above = small.terms.less_equal(ratio(1, 2), x);
  small.require(small.terms.either(small.terms.both(below, small.terms.equal(z, 0)),
                                   small.terms.both(above, small.terms.equal(z, 1))));
  CHECK_NOTHROW(check_single_valued(small.problem, {}));
}

}  // namespace
}  // namespace wmi::tests
