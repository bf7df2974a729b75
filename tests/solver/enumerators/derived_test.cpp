#include "solver/enumerators/derived.h"

#include <doctest/doctest.h>

#include <array>

namespace wmi {
namespace {

const Polynomial u = Polynomial::variable(0), w = Polynomial::variable(1),
                 v = Polynomial::variable(2);

/// u and v are derived.
Problem problem() {
  Problem result;
  for (const char* name : {"u", "w", "v"}) result.terms.declare_real(name);
  result.integrated = {false, true, false};
  return result;
}

TEST_CASE("an equation that is solved later also changes the values before it") {
  Elimination pins;
  pins.values.resize(3);
  REQUIRE(pins.solve(problem(), LinearForm(u - v - w)));  // u = v + w
  CHECK(pins(2 * u) == 2 * v + 2 * w);
  const LinearForm rest = pins(LinearForm(v - 2 * u + 3 * w));  // of v = 2 u - 3 w: w - v
  CHECK(rest == LinearForm(w - v));
  REQUIRE(pins.solve(problem(), rest));
  CHECK(pins(u) == 2 * w);
  CHECK(pins(v) == w);
  CHECK(pins(u * v) == 2 * w * w);
  CHECK(!pins.solve(problem(), LinearForm(w - 1)));
}

TEST_CASE("equations may leave a derived real undetermined, or have no volume") {
  const LinearForm first(u - v - w), second(w - 1);
  CHECK(eliminate(problem(), std::array{first}).undetermined == Variable{0});
  CHECK(!eliminate(problem(), std::array{first}).flat);
  CHECK(eliminate(problem(), std::array{first, second}).flat);
  CHECK(!eliminate(problem(), std::array{first, LinearForm(v)}).undetermined);
}

}  // namespace
}  // namespace wmi
