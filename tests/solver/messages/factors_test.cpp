#include "solver/messages/factors.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

using Vertices = std::vector<Vertex>;

TEST_CASE("conjuncts and weights are factors, each with its variables") {
  SmallProblem p;
  const Polynomial x = p.real("x"), y = p.real("y");
  const Formula b = p.terms.declare_boolean("b");
  p.require(p.terms.both(p.terms.less(0, x), p.terms.either(b, p.terms.less(x, y))));
  p.weight(b, x + 1);
  const Factors factors(p.problem);
  REQUIRE(factors.of_problem().size() == 3);
  CHECK(factors[0].vertices == Vertices{0});
  CHECK(factors[1].vertices == Vertices{0, 1, 2});
  CHECK(factors[2].vertices == Vertices{0, 2});
  CHECK(!factors[2].asserts);
}

TEST_CASE("a product of variables is a factor for each, and repeated weights are squares") {
  SmallProblem p;
  const Polynomial x = p.real("x"), y = p.real("y");
  p.weight(truth, 3 * x * x * y);
  p.weight(truth, x + y);
  p.weight(truth, x + y);
  const Factors factors(p.problem);
  REQUIRE(factors.of_problem().size() == 5);  // x^2, y, 3, and x + y twice
  CHECK(factors.of_problem()[3] == factors.of_problem()[4]);
  CHECK(factors[0].value == x * x);
  CHECK(factors[2].vertices.empty());
}

TEST_CASE("a defined real is seen through") {
  SmallProblem p;
  const Polynomial x = p.real("x"), y = p.real("y");
  const Polynomial relu = p.terms.choice(p.terms.less(0, y), y, 0);
  p.require(p.terms.less(x, relu));
  Factors factors(p.problem);
  CHECK(factors[0].vertices == Vertices{0, 1});
  const std::size_t kept = factors.around(relu);
  CHECK(factors[kept].vertices == Vertices{1});
  CHECK(factors[kept].condition == truth);
  CHECK(factors.of_formula(p.terms.less(x, relu)) == std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace wmi::tests
