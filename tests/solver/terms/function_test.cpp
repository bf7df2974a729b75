#include "solver/terms/function.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "solver/terms/formula.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

TEST_CASE("every function has a name of its own, in the order of the enumeration") {
  std::uint8_t number = 0;
  for (const FunctionEntry& entry : functions()) {
    CHECK(static_cast<std::uint8_t>(entry.function) == ++number);
    CHECK(name_of(entry.function) == entry.name);
    for (const FunctionEntry& other : functions())
      CHECK((other.function == entry.function) == (other.name == entry.name));
  }
  CHECK(name_of(Function::none).empty());
}

TEST_CASE("values that are rational are known, and where there is none, that is an error") {
  CHECK(rational_value(Function::exp, 0) == Rational(1));
  CHECK_FALSE(rational_value(Function::exp, 1));
  CHECK(rational_value(Function::log, 1) == Rational(0));
  CHECK(rational_value(Function::sqrt, ratio(4, 9)) == ratio(2, 3));
  CHECK_FALSE(rational_value(Function::sqrt, 2));
  CHECK(rational_value(Function::sigmoid, 0) == ratio(1, 2));
  CHECK(rational_value(Function::reciprocal, ratio(-2, 3)) == ratio(-3, 2));
  CHECK_THROWS_AS(rational_value(Function::log, 0), Error);
  CHECK_THROWS_AS(rational_value(Function::sqrt, -1), Error);
  CHECK_THROWS_AS(rational_value(Function::reciprocal, 0), Error);
}

TEST_CASE("a function of a term is one defined real, which stands in no comparison") {
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  CHECK_FALSE(terms.smooth());
  const Polynomial e = terms.apply(Function::exp, x);
  CHECK(terms.smooth());
  CHECK(terms.apply(Function::exp, x) == e);
  CHECK(terms.apply(Function::tanh, x) != e);
  CHECK(terms.apply(Function::exp, Polynomial()) == Polynomial(1));
  CHECK(terms.function_in(x * e + 1) == Function::exp);
  CHECK(terms.function_in(x) == Function::none);
  const Polynomial piecewise = terms.choice(terms.less(x, 0), e, Polynomial(1));
  CHECK(terms.function_in(piecewise) == Function::exp);
  CHECK_THROWS_WITH_AS(terms.less(e, 1), doctest::Contains("the function 'exp' cannot stand here"),
                       Error);
  CHECK_THROWS_AS(terms.less(piecewise, 1), Error);
}

TEST_CASE("a substitution replaces arguments, and finds values") {
  Terms source, target;
  const Variable x = source.declare_real("x");
  const Polynomial e = source.apply(Function::exp, Polynomial::variable(x) - 1);
  Substitution one(source, target);
  one.set_real(x, Polynomial(1));
  CHECK(one(e) == Polynomial(1));
  const Polynomial y = Polynomial::variable(target.declare_real("y"));
  Substitution renamed(source, target);
  renamed.set_real(x, 2 * y);
  CHECK(renamed(e) == target.apply(Function::exp, 2 * y - 1));
}

}  // namespace
}  // namespace wmi
