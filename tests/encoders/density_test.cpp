#include "encoders/density.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "solver/laws/divergence.h"

namespace wmi::encoders {
namespace {

std::string complaint(std::string_view text) {
  try {
    parse_density(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("densities are laws of mass 1") {
  for (const char* text : {"[-1, 3]", "uniform(-1, 3)", "triangular(-1, 0, 3)",
                           "triangular(0, 0, 1)", "triangular(0,1,1)", "bspline(-2, 2, 5)",
                           "piecewise(0, 1, 1, 0, 2, 1/3)", "gaussian(1, 1/2)", "3/4", " -0.5 "}) {
    CAPTURE(text);
    CHECK(parse_density(text).law.mass() == 1);
    CHECK(parse_density(text).law.non_negative());
  }
  CHECK(parse_density("[-1,3]").law == Law::uniform(-1, 3));
  CHECK(parse_density("[2,2]").law == Law::point(2));
  CHECK(parse_density("7/2").law == Law::point(ratio(7, 2)));
  CHECK(parse_density("triangular(-2,0,2)").law == Law::triangular(0, 2));
  CHECK(parse_density("bspline(0,2,2)").law == Law::triangular(1, 1));
  CHECK(parse_density("bspline(0,1,1)").law == Law::uniform(0, 1));
  // The sum of four uniform numbers on [0, 1/4]: variance 4 * (1/4)^2/12.
  CHECK(parse_density("bspline(0,1,4)").law.variance() == ratio(1, 48));
  // Lines from (0,1) down to (1,0) and up to (2,1): area 1.
  CHECK(parse_density("piecewise(0,1,1,0,2,1)").law.density(ratio(1, 2)) == ratio(1, 2));
  // The mean of a skew triangle is the mean of its corners.
  CHECK(parse_density("triangular(0,1,5)").law.mean() == 2);
}

TEST_CASE("the error of the normal law is within its bound") {
  const Density density = parse_density("gaussian(2, 3)");
  CHECK(density.instead_of.starts_with(
      "the normal law with mean 2 and deviation 3, cut off at 4 "
      "deviations, by cubic pieces whose density is off by at most "));
  const double bound = std::stod(density.instead_of.substr(density.instead_of.rfind(' ')));
  const double inside = std::erf(4 / std::numbers::sqrt2);
  double worst = 0;
  for (int i = -4000; i < 4000; ++i) {
    const double u = i / 1000.0;
    const Rational at = 2 + 3 * ratio(i, 1000);
    const double truth = std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi) / 3 / inside;
    worst = std::max(worst, std::abs(density.law.density(at).get_d() - truth));
  }
  CHECK(worst <= bound);
  CHECK(worst >= bound / 50);  // the bound is not too pessimistic
  CHECK(density.law.mean() == 2);
  CHECK(std::abs(std::sqrt(density.law.variance().get_d()) - 3) < 0.002);
}

TEST_CASE("a normal law is no polynomial, and may have bounds") {
  const Density cut = parse_density("normal(1, 2, -1, 5)");
  CHECK(cut.normal == NormalLaw{1, 4});
  CHECK(cut.law == Law::uniform(-1, 5));
  CHECK(cut.bounded());
  CHECK_FALSE(cut.number());
  const Density whole = parse_density("normal(0, 1/2)");
  CHECK_FALSE(whole.bounded());
  CHECK_FALSE(whole.number());
  CHECK(parse_density("3").number() == Rational(3));
}

TEST_CASE("invalid densities are refused with a message") {
  CHECK(complaint("[1, 0]") == "the interval from 1 to 0 is empty");
  CHECK(complaint("triangular(0, 2, 1)") ==
        "triangular(from, mode, to) needs from <= mode <= to and from < to");
  CHECK(complaint("triangular(0, 2)") == "expected triangular(from, mode, to)");
  CHECK(complaint("bspline(0, 1, 99)") == "bspline(from, to, order) needs an order from 1 to 40");
  CHECK(complaint("gaussian(0, 0)") == "gaussian(mean, deviation) needs a deviation above 0");
  CHECK(complaint("piecewise(0, -1, 1, 1)") == "a density cannot be negative");
  CHECK(complaint("piecewise(0, 0, 1, 0)") == "a density cannot be 0 everywhere");
  CHECK(complaint("normal(0, 0)") == "normal(mean, deviation) needs a deviation above 0");
  CHECK(complaint("normal(0)") == "expected normal(mean, deviation[, from, to])");
  CHECK(complaint("normal(0, 1, 2, 2)") ==
        "normal(mean, deviation, from, to) needs from < to, not 2 and 2");
  CHECK(complaint("weibull(0, 1)")
            .starts_with("no density named 'weibull'; write a number, [from, to]"));
  CHECK(complaint("1/0") == "'1/0' divides by 0");
  CHECK(!complaint("").empty());
  CHECK(!complaint("[1,").empty());
}

}  // namespace
}  // namespace wmi::encoders
