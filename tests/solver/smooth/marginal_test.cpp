#include "solver/smooth/marginal.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

SmoothIntegrand integrand(const Polynomial& factor, const Polynomial& exponent) {
  SmoothIntegrand result;
  result.dimension = 2;
  result.factor = factor;
  result.exponent = exponent;
  return result;
}

TEST_CASE("the law of x under a normal density of x and y, with y integrated out") {
  // e^(-x^2/2 - (y - x/2)^2): y has mean x/2 and variance 1/2, its integral is sqrt(pi).
  const Polynomial shifted = y - ratio(1, 2) * x;
  const Polynomial exponent = ratio(-1, 2) * (x * x) - shifted * shifted;
  const std::vector<Halfspace> positive = {{{-1, 0}, 0}};
  const auto found = integrate_out(integrand(y * y, exponent), positive, {0, 1});
  REQUIRE(found);
  CHECK(found->integrand.dimension == 1);
  CHECK(found->integrand.exponent == ratio(-1, 2) * (x * x));
  CHECK(found->integrand.factor == ratio(1, 4) * (x * x) + ratio(1, 2));
  CHECK(found->square == 1);
  CHECK(found->halfspaces == std::vector<Halfspace>{{{-1}, 0}});
}

TEST_CASE("along a line that is no axis") {
  // e^(-x^2 - y^2) over |x + y| <= 1: along (1, -1), with z = x + y - 0 left: e^(-z^2/2) dz dl.
  const std::vector<Halfspace> strip = {{{1, 1}, 1}, {{-1, -1}, 1}};
  const auto found = integrate_out(integrand(1, -(x * x) - y * y), strip, {1, -1});
  REQUIRE(found);
  CHECK(found->integrand.exponent == ratio(-1, 2) * (x * x));
  CHECK(found->square == ratio(1, 2));
}

TEST_CASE("what does not decrease along the line is left alone") {
  CHECK_FALSE(integrate_out(integrand(1, -(x * x)), {}, {0, 1}));
  CHECK_FALSE(integrate_out(integrand(1, y * y), {}, {0, 1}));
  CHECK_FALSE(integrate_out(integrand(1, -(y * y * y * y)), {}, {0, 1}));
}

}  // namespace
}  // namespace wmi
