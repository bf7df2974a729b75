#include "solver/smooth/exponential_density.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "solver/terms/decimal.h"

namespace wmi::tests {
namespace {

SmoothIntegrand with_exponent(std::size_t n, Polynomial exponent) {
  SmoothIntegrand result;
  result.dimension = n;
  result.exponent = std::move(exponent);
  return result;
}

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

TEST_CASE("independent normal laws and exponentials are such a density, others are not") {
  const auto found = ExponentialDensity::of(with_exponent(2, Polynomial(3) - x * x + 2 * y));
  REQUIRE(found.has_value());
  CHECK(found->exponents[0].square == -1);
  CHECK(found->exponents[1].linear == 2);
  CHECK(found->constant == 3);
  CHECK_FALSE(ExponentialDensity::of(with_exponent(2, -x * x - x * y - y * y)));
  CHECK_FALSE(ExponentialDensity::of(with_exponent(2, x * x)));
  CHECK_FALSE(ExponentialDensity::of(with_exponent(1, -x * x * x * x)));
}

TEST_CASE("the mass of a box is a product of error functions") {
  // P(|Z| <= 1) = 0.682689492137085897... and P(0 <= Z <= 2) = 0.477249868051820792...
  const ExponentialDensity density{{{ratio(-1, 2), 0, 0}, {ratio(-1, 2), 0, 0}}, 2, 0, 0};
  const std::vector<Rational> lower{-1, 0}, upper{1, 2};
  const Interval mass = interval(density.mass(lower, upper));
  const Rational expected = parse_number("0.325813470042788793");
  CHECK(abs(mass.lower - expected) < parse_number("1e-14"));
  CHECK(abs(mass.upper - expected) < parse_number("1e-14"));
}

TEST_CASE("a bound of the density is its value where it is greatest") {
  const ExponentialDensity density{{{-1, 2, 0}, {0, -1, 0}}, 0, 0, 0};  // (2x - x^2) - y
  const std::vector<double> lower{-1, 0}, inside{2, 1}, before{0.5, 1};
  CHECK(density.most(lower, inside).get_d() == doctest::Approx(std::exp(1.0)));
  CHECK(density.most(lower, before).get_d() == doctest::Approx(std::exp(0.75)));
}

TEST_CASE("in a box, the coordinates are normalised") {
  const ExponentialDensity density{{{-1, 2, 5}}, 0, 0, 0};
  const ExponentialDensity found = density.in({{3}, {2}});
  // y = 3 + 2 u: -(9 + 12 u + 4 u^2) + 6 + 4 u + 5
  CHECK(found.exponents[0].square == -4);
  CHECK(found.exponents[0].linear == -8);
  CHECK(found.exponents[0].constant == -4);  // at most 0: greatest at u = -1
  CHECK(found.constant == 6);
}

}  // namespace
}  // namespace wmi::tests
