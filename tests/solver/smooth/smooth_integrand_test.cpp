#include "solver/smooth/smooth_integrand.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
Polynomial function(Variable number) { return Polynomial::variable(number); }

TEST_CASE("exponentials and normal densities become one exponent") {
  const std::vector<AppliedFunction> functions = {
      {5, Function::exp, x}, {6, Function::normal, y}, {7, Function::exp, 2 * y}};
  const auto products =
      smooth_products(3 * x * function(5) * function(5) * function(6) * function(7), functions, 2);
  REQUIRE(products.size() == 1);
  CHECK(products[0].factor == 3 * x);
  CHECK(products[0].exponent == 2 * x + 2 * y - ratio(1, 2) * (y * y));
  CHECK(products[0].normals == 1);
  CHECK(products[0].exponential());
}

TEST_CASE("terms with the same functions are one product, and equal functions are one") {
  const std::vector<AppliedFunction> functions = {
      {2, Function::tanh, x}, {3, Function::tanh, x}, {4, Function::erf, y}};
  const auto products =
      smooth_products(x * function(2) + y * function(3) + function(4) + x * y, functions, 2);
  REQUIRE(products.size() == 3);
  CHECK(products[0].polynomial());
  CHECK(products[0].factor == x * y);
  CHECK(products[1].factor == x + y);
  CHECK(products[1].functions[0].function == Function::tanh);
  CHECK(products[2].functions[0].function == Function::erf);
  CHECK(smooth_products(function(2) - function(3), functions, 2).empty());
}

TEST_CASE("coordinates that nothing connects are independent") {
  const std::vector<AppliedFunction> functions = {{3, Function::exp, x * x - y},
                                                  {4, Function::erf, Polynomial::variable(2)}};
  const auto products = smooth_products(function(3) * function(4), functions, 3);
  using Sets = std::vector<std::vector<Variable>>;
  CHECK(independent_coordinates(products[0], {}) == Sets{{0}, {1}, {2}});
  const Sets block = {{0, 2}};
  CHECK(independent_coordinates(products[0], block) == Sets{{0, 2}, {1}});
  const auto joined =
      smooth_products(function(3), std::vector<AppliedFunction>{{3, Function::exp, x * y}}, 3);
  CHECK(independent_coordinates(joined[0], {}) == Sets{{0, 1}, {2}});
}

TEST_CASE("a part has the functions and powers of its coordinates, renumbered") {
  const std::vector<AppliedFunction> functions = {{3, Function::tanh, Polynomial::variable(2)},
                                                  {4, Function::erf, function(3)},
                                                  {5, Function::exp, x}};
  const auto products = smooth_products(function(4) * function(5), functions, 3);
  const SmoothIntegrand part = restricted(products[0], {2}, {{0, 2}, {2, 3}}, false);
  CHECK(part.dimension == 1);
  CHECK(part.factor == power(x, 3));
  CHECK(part.exponent.zero());
  REQUIRE(part.functions.size() == 2);
  CHECK(part.functions[0].argument == x);
  CHECK(part.functions[1].argument == function(1));
  CHECK(part.powers == std::vector<Power>{{2, 1}});
}

}  // namespace
}  // namespace wmi
