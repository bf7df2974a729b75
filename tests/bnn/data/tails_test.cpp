#include "bnn/data/tails.h"

#include <doctest/doctest.h>

#include <cmath>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

const Tails shapes[] = {{},
                        {Tails::Kind::student, 2.5},
                        {Tails::Kind::student, 4},
                        {Tails::Kind::student, 30},
                        {Tails::Kind::two_scale, 4, 0.05, 5},
                        {Tails::Kind::two_scale, 4, 0.4, 20}};

TEST_CASE("densities of the noise have the mass 1") {
  for (const Tails& tails : shapes) {
    CAPTURE(name(tails.kind));
    // The trapezoidal rule in t, x = sinh(t), to x = 1e7.
    double sum = 0;
    constexpr double step = 1e-3;
    for (double t = -17; t <= 17; t += step)
      sum += step * std::cosh(t) * std::exp(log_density(tails, std::sinh(t) * std::sinh(t)));
    CHECK(sum == doctest::Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("the precision is the slope of the log density") {
  for (const Tails& tails : shapes)
    for (const double square : {0.01, 1.0, 5.0, 80.0, 1e4}) {
      CAPTURE(name(tails.kind));
      CAPTURE(square);
      const double step = 1e-5 * square;
      const double slope =
          (log_density(tails, square + step) - log_density(tails, square - step)) / (2 * step);
      CHECK(precision(tails, square) == doctest::Approx(-2 * slope).epsilon(1e-5));
    }
}

TEST_CASE("far outcomes count less, and Student's law of many degrees of freedom is normal") {
  CHECK(precision({}, 100) == 1);
  CHECK(precision({Tails::Kind::student, 4}, 100) < 0.05);
  CHECK(precision({Tails::Kind::two_scale, 4, 0.05, 5}, 100) == doctest::Approx(0.04));
  CHECK(log_density({Tails::Kind::student, 1e6}, 3) ==
        doctest::Approx(log_density({}, 3)).epsilon(1e-5));
  // No overflow, however far out.
  CHECK(std::isfinite(log_density({Tails::Kind::two_scale}, 1e6)));
  CHECK(precision({Tails::Kind::two_scale}, 1e6) == doctest::Approx(0.04));
}

TEST_CASE("shapes of the noise have names") {
  for (const Tails& tails : shapes) CHECK(tails_kind(name(tails.kind)) == tails.kind);
  CHECK_THROWS_AS(tails_kind("cauchy"), Error);
}

}  // namespace
}  // namespace wmi::bnn
