#include "solver/enumerators/filtered/factored_weights.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

struct TwoReals : SmallProblem {
  const Polynomial x = real("x"), y = real("y");

  Polynomial normal(const Polynomial& term) { return terms.apply(Function::normal, term); }
};

TEST_CASE_FIXTURE(TwoReals, "polynomial weights stay as they are") {
  weight(terms.less(0, x), y);
  const auto found = FactoredWeights::of(problem);
  REQUIRE(found);
  CHECK(found->polynomials == problem.weights);
  CHECK_FALSE(found->density);
}

TEST_CASE_FIXTURE(TwoReals, "normal densities and exponentials are one density with a factor") {
  weight(truth, 2 * normal(2 * x - 1));
  weight(terms.less(0, x), y);
  weight(truth, x * terms.apply(Function::exp, 3 * y));
  const auto found = FactoredWeights::of(problem);
  REQUIRE(found);
  REQUIRE(found->polynomials.size() == 2);
  CHECK(found->polynomials[0].value == y);
  CHECK(found->polynomials[1].value == 2 * x);
  REQUIRE(found->density);
  CHECK(found->density->normals == 1);
  CHECK(found->density->exponents[0].square == -2);  // -(2 x - 1)^2 / 2
  CHECK(found->density->exponents[0].linear == 2);
  CHECK(found->density->exponents[1].linear == 3);
}

TEST_CASE_FIXTURE(TwoReals, "other weights with functions are none") {
  SUBCASE("under a condition") { weight(terms.less(0, x), normal(x)); }
  SUBCASE("of another function") { weight(truth, terms.apply(Function::sigmoid, x)); }
  SUBCASE("of two reals at once") { weight(truth, normal(x + y)); }
  SUBCASE("a sum") { weight(truth, normal(x) + normal(y)); }
  SUBCASE("of a choice") { weight(truth, normal(terms.choice(terms.less(0, x), x, 0))); }
  CHECK_FALSE(FactoredWeights::of(problem));
}

}  // namespace
}  // namespace wmi::tests
