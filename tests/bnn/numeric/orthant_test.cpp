#include "bnn/numeric/orthant.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace wmi::bnn {
namespace {

constexpr double pi = std::numbers::pi;

TEST_CASE("the normal distribution function has its digits far out") {
  CHECK(normal_log_cdf(0) == doctest::Approx(std::log(0.5)));
  // log Phi(-10), log Phi(-40): 50 digits of mpmath, rounded.
  CHECK(normal_log_cdf(-10) == doctest::Approx(-53.2312851505124705783).epsilon(1e-13));
  CHECK(normal_log_cdf(-40) == doctest::Approx(-804.6084420137537881666).epsilon(1e-13));
  CHECK(normal_log_cdf(-30 - 1e-9) == doctest::Approx(normal_log_cdf(-30 + 1e-9)).epsilon(1e-9));
}

TEST_CASE("orthants of two and three correlated numbers have their closed forms") {
  for (const double r : {-0.95, -0.5, 0.0, 0.3, 0.9, 0.999}) {
    CAPTURE(r);
    CHECK(std::exp(log_orthant(std::vector{0.0, 0.0}, std::vector{4.0, 2 * r, 2 * r, 1.0})) ==
          doctest::Approx(0.25 + std::asin(r) / (2 * pi)).epsilon(1e-9));
    const double s = 0.4, t = 0.2 + 0.1 * r;
    if (1 + 2 * r * s * t - r * r - s * s - t * t <= 0) continue;
    CHECK(std::exp(log_orthant(std::vector{0.0, 0.0, 0.0},
                               std::vector{1.0, r, s, r, 1.0, t, s, t, 1.0})) ==
          doctest::Approx(0.125 + (std::asin(r) + std::asin(s) + std::asin(t)) / (4 * pi))
              .epsilon(1e-9));
  }
}

TEST_CASE("independent numbers are independent, also far out") {
  const std::vector<double> variances{1, 0, 0, 0, 4, 0, 0, 0, 0.01};
  for (const std::vector<double>& mean :
       {std::vector{0.5, -1.0, 0.2}, std::vector{-30.0, -50.0, -2.0}, std::vector{20.0, -3.0, 9.0}})
    CHECK(log_orthant(mean, variances) ==
          doctest::Approx(normal_log_cdf(mean[0]) + normal_log_cdf(mean[1] / 2) +
                          normal_log_cdf(mean[2] / 0.1))
              .epsilon(1e-10));
}

}  // namespace
}  // namespace wmi::bnn
