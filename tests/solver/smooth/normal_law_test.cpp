#include "solver/smooth/normal_law.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

TEST_CASE("mean, covariance and greatest value of a concave quadratic polynomial") {
  // -(x - 1)^2 / 2 - (y - x/2)^2 / (2/4) + 3: x has mean 1 and variance 1, y = x/2 + e/2.
  const Polynomial e = y - ratio(1, 2) * x;
  const auto law = normal_law(ratio(-1, 2) * ((x - 1) * (x - 1)) - 2 * e * e + 3, 2);
  REQUIRE(law);
  CHECK(law->mean == std::vector<Rational>{1, ratio(1, 2)});
  CHECK(law->covariance ==
        std::vector<std::vector<Rational>>{{1, ratio(1, 2)}, {ratio(1, 2), ratio(1, 2)}});
  CHECK(law->precision == std::vector<std::vector<Rational>>{{2, -2}, {-2, 4}});
  CHECK(law->determinant == ratio(1, 4));
  CHECK(law->greatest == 3);
}

TEST_CASE("other polynomials are no exponents of normal laws") {
  CHECK_FALSE(normal_law(-(x * x), 2));                      // constant in y
  CHECK_FALSE(normal_law(-(x * x) - y * y + 2 * x * y, 2));  // constant along (1, 1)
  CHECK_FALSE(normal_law(x * y - y * y, 2));
  CHECK_FALSE(normal_law(-(x * x * x * x) - y * y, 2));
  CHECK_FALSE(normal_law(-(x * x) - y * y + Polynomial::variable(2), 2));  // a function
}

}  // namespace
}  // namespace wmi
