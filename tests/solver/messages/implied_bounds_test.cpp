#include "solver/messages/implied_bounds.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

TEST_CASE("bounds follow along a chain of inequalities") {
  SmallProblem p;
  const Polynomial x = p.real("x"), y = p.real("y"), z = p.real("z"), w = p.real("w");
  p.require(p.terms.less_equal(0, x));
  p.require(p.terms.less_equal(x, y));
  p.require(!p.terms.less(z, y + 1));  // y + 1 <= z
  p.require(p.terms.less_equal(z, 5));
  p.require(p.terms.less_equal(z, 4));
  p.require(p.terms.either(p.terms.less(w, 0), p.terms.less(w, 1)));
  const auto bounds = implied_bounds(p.problem);
  CHECK(*bounds[0].first == 0);
  CHECK(*bounds[0].second == 3);
  CHECK(*bounds[1].first == 0);
  CHECK(*bounds[1].second == 3);
  CHECK(*bounds[2].first == 1);
  CHECK(*bounds[2].second == 4);
  CHECK(!bounds[3].first);
  CHECK(!bounds[3].second);
}

TEST_CASE("an equation bounds both ways; what nothing bounds has no bounds") {
  SmallProblem p;
  const Polynomial x = p.real("x"), y = p.real("y"), z = p.real("z");
  p.require(p.terms.equal(x + y, 1));
  p.require(p.terms.less_equal(0, x));
  p.require(p.terms.less_equal(x, 1));
  p.require(p.terms.less_equal(z, y));
  const auto bounds = implied_bounds(p.problem);
  CHECK(*bounds[1].first == 0);
  CHECK(*bounds[1].second == 1);
  CHECK(!bounds[2].first);
  CHECK(*bounds[2].second == 1);
}

}  // namespace
}  // namespace wmi::tests
