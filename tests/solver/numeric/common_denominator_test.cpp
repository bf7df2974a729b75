#include "solver/numeric/common_denominator.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

std::vector<Rational> fractions(const CommonDenominator& numbers) {
  std::vector<Rational> result;
  for (const Fmpz& numerator : numbers.numerators)
    result.push_back(quotient(numerator, numbers.denominator));
  return result;
}

TEST_CASE("fractions are integers over their least common denominator") {
  const std::vector<Rational> numbers{ratio(1, 6), ratio(-3, 4), 2, 0};
  const CommonDenominator common(numbers);
  CHECK(fmpz_get_si(common.denominator.get()) == 12);
  CHECK(fmpz_get_si(common.numerators[1].get()) == -9);
  CHECK(fractions(common) == numbers);
  CHECK(CommonDenominator(std::vector<Rational>{}).numerators.empty());
}

TEST_CASE("an affine function is substituted into a polynomial") {
  // 1/2 - x + 3 x^2 at x = (2 y + 1)/3: 1/2 - 2/3 y - 1/3 + (4 y^2 + 4 y + 1)/3.
  CommonDenominator polynomial(std::vector<Rational>{ratio(1, 2), -1, 3});
  const Fmpz f(Integer(2)), c(Integer(1)), q(Integer(3));
  polynomial.compose(f.get(), c.get(), q.get());
  CHECK(fractions(polynomial) == std::vector<Rational>{ratio(1, 2), ratio(2, 3), ratio(4, 3)});
}

}  // namespace
}  // namespace wmi
