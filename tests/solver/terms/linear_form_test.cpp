#include "solver/terms/linear_form.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

TEST_CASE("a polynomial of degree 1 is a linear form, and back") {
  const LinearForm form(3 * y - 2 * x + 7);
  CHECK(form.coefficients == std::vector<std::pair<Variable, Rational>>{{0, -2}, {1, 3}});
  CHECK(form.constant == 7);
  CHECK(form.polynomial() == 3 * y - 2 * x + 7);
  CHECK(!form.is_constant());
  CHECK(LinearForm(Polynomial(4)).is_constant());
  CHECK(LinearForm(x - x).polynomial() == Polynomial());
}

TEST_CASE("a linear form has a value at a point") {
  CHECK(LinearForm(3 * y - 2 * x + 7).at(std::vector<Rational>{ratio(1, 2), 1}) == 9);
}

TEST_CASE("a linear form is made primitive without changing its sign") {
  LinearForm form(Polynomial(ratio(1, 2)) * x - Polynomial(ratio(2, 3)) * y + 1);
  form.make_primitive();
  CHECK(form.polynomial() == 3 * x - 4 * y + 6);
  LinearForm negative(-2 * x - 4);
  negative.make_primitive();
  CHECK(negative.polynomial() == -x - 2);
  CHECK(negative.coefficient(0) == -1);
  CHECK(negative.coefficient(7) == 0);
  CHECK(negative.at(std::vector<Rational>{3}) == -5);
  CHECK((-negative).polynomial() == x + 2);
  CHECK(-LinearForm() == LinearForm());
}

}  // namespace
}  // namespace wmi
