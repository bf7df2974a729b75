#include "bnn/predictive/box_sum.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace wmi::bnn {
namespace {

TEST_CASE("splines, series and narrow boxes as a Gaussian are laws of the same kind") {
  const std::vector<double> few{1, 0.5}, many(20, 0.3);
  std::vector<double> mixed{1};
  mixed.insert(mixed.end(), 30, 1e-3);
  for (const std::vector<double>& half_widths : {few, many, mixed}) {
    const BoxSum law(half_widths, 0.1);
    CAPTURE(half_widths.size());
    CHECK(law.error() < 1e-6);
    CHECK(law.cdf(0) == doctest::Approx(0.5));
    CHECK(law.cdf(-law.reach()) == 0);
    CHECK(law.cdf(law.reach()) == 1);
    constexpr double step = 1e-4;
    for (const double x : {-0.9, -0.3, 0.2}) {
      CHECK(law.density(x) == doctest::Approx(law.density(-x)));
      const double slope = (law.cdf(x + step) - law.cdf(x - step)) / (2 * step);
      CHECK(law.density(x) == doctest::Approx(slope).epsilon(1e-4));
    }
  }
}

TEST_CASE("the density of two boxes bends at their corners") {
  const std::vector<double> half_widths{1, 0.5};
  const BoxSum law(half_widths, 0.1);
  const std::vector<double> knots = law.knots();
  for (const double corner : {-1.5, -0.5, 0.5, 1.5})
    CHECK(std::count(knots.begin(), knots.end(), corner) > 0);
  CHECK(law.density(0) == doctest::Approx(0.5));
  CHECK(law.density(1) == doctest::Approx(0.25));
}

}  // namespace
}  // namespace wmi::bnn
