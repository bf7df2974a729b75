#include "bnn/predictive/wide_logit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace wmi::bnn {
namespace {

/// The same by the trapezoidal rule for the normal law.
WideLogit::Averages slowly(double mean, double deviation, double u) {
  const double step = 0.1 / deviation;
  WideLogit::Averages result;
  double sum = 0;
  for (double x = -9; x <= 9; x += step) {
    const double mass = std::exp(-x * x / 2), e = std::exp(mean + deviation * x - u);
    sum += mass;
    if (e > 700) continue;
    result.distribution += mass * std::exp(-e);
    result.density += mass * std::exp(-e) * e;
  }
  return {result.distribution / sum, result.density / sum};
}

TEST_CASE("averages over wide laws are those of the trapezoidal rule, in any order") {
  for (const double deviation : {4.0, 4.3, 6.0, 9.99, 10.0, 17.0, 39.9, 40.0, 300.0}) {
    CAPTURE(deviation);
    WideLogit logit(-3, deviation);
    for (const double t : {-8.99, -5.0, -2.2, -0.1, 0.0, 0.13, 3.0, 7.0, 12.9, -1.0}) {
      CAPTURE(t);
      const double u = -3 + t * deviation;
      const WideLogit::Averages found = logit.at(u), expected = slowly(-3, deviation, u);
      CHECK(std::abs(found.distribution - expected.distribution) < 1e-12);
      CHECK(std::abs(found.density - expected.density) * deviation < 1e-12);
    }
  }
}

TEST_CASE("beyond its ends a wide law has no density, and narrow laws are refused") {
  WideLogit logit(1, 5);
  CHECK(logit.at(logit.low() - 1).distribution == 0);
  CHECK(logit.at(logit.high() + 1).distribution == 1);
  CHECK(logit.at(logit.high() + 1).density == 0);
  CHECK(logit.at(INFINITY).distribution == 1);
  CHECK(logit.at(-INFINITY).distribution == 0);
  CHECK_THROWS_AS(WideLogit(0, 3.9), std::invalid_argument);
}

}  // namespace
}  // namespace wmi::bnn
