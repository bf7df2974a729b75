#include "solver/smooth/ridge.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

SmoothIntegrand product(const Polynomial& integrand, std::vector<AppliedFunction> functions) {
  return smooth_products(integrand, functions, 2).at(0);
}

TEST_CASE("functions of one form are a ridge, also squares of it") {
  const Polynomial form = 2 * x - y;
  const auto found =
      find_ridge(product(x * Polynomial::variable(2) * Polynomial::variable(3),
                         {{2, Function::normal, form - 1}, {3, Function::sigmoid, 3 * form}}));
  REQUIRE(found);
  // With s the form times some number: the exponent is -(s' - 1)^2 / 2.
  const Polynomial back =
      found->along.exponent.substitute([&](Variable) { return found->form.polynomial(); });
  CHECK(back == ratio(-1, 2) * ((form - 1) * (form - 1)));
  CHECK(found->along.functions[0].argument.substitute(
            [&](Variable) { return found->form.polynomial(); }) == 3 * form);
  CHECK(found->along.factor == Polynomial(1));
}

TEST_CASE("functions of two forms are none") {
  CHECK_FALSE(find_ridge(product(Polynomial::variable(2) * Polynomial::variable(3),
                                 {{2, Function::erf, x}, {3, Function::erf, y}})));
  CHECK_FALSE(find_ridge(product(Polynomial::variable(2), {{2, Function::exp, x * y}})));
  CHECK_FALSE(find_ridge(product(Polynomial::variable(2), {{2, Function::exp, x * x + y * y}})));
}

}  // namespace
}  // namespace wmi
