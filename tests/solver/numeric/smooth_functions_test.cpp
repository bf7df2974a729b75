#include "solver/numeric/smooth_functions.h"

#include <doctest/doctest.h>

#include <cmath>

#include "solver/numeric/complex_ball.h"
#include "solver/numeric/function_range.h"

namespace wmi {
namespace {

double reference(Function function, double t) {
  switch (function) {
    case Function::exp:
      return std::exp(t);
    case Function::log:
      return std::log(t);
    case Function::sqrt:
      return std::sqrt(t);
    case Function::erf:
      return std::erf(t);
    case Function::sigmoid:
      return 1 / (1 + std::exp(-t));
    case Function::tanh:
      return std::tanh(t);
    case Function::normal:
      return std::exp(-t * t / 2) / std::sqrt(2 * M_PI);
    case Function::reciprocal:
      return 1 / t;
    case Function::none:
      break;
  }
  return t;
}

TEST_CASE("values agree with those of the C library, on the line and in the plane") {
  for (const FunctionEntry& entry : functions())
    for (const double t : {0.25, 1.0, 3.5}) {
      CAPTURE(entry.name);
      Ball real;
      ComplexBall complex;
      arb_set_d(real, t);
      acb_set_d(complex, t);
      evaluate(real, entry.function, real, 80);
      evaluate(complex, entry.function, complex, 80);
      const Interval value = interval(real);
      CHECK(value.midpoint().get_d() == doctest::Approx(reference(entry.function, t)));
      CHECK(arb_overlaps(real, acb_realref(static_cast<acb_ptr>(complex))));
      CHECK(value.upper - value.lower < ratio(1, 1'000'000'000));
    }
}

TEST_CASE("the sigmoid of a wide ball holds the values in it, and is near 0 or 1 far from 0") {
  for (const double middle : {-1e8, -40.0, -3.0, 0.0, 0.5, 6.0, 1e8})
    for (const double share : {0.01, 0.4, 0.9}) {
      CAPTURE(middle);
      CAPTURE(share);
      const double radius = share * (1 + std::abs(middle));
      Ball wide;
      ComplexBall complex;
      arb_set_d(wide, middle);
      mag_set_d(arb_radref(static_cast<arb_ptr>(wide)), radius);
      acb_set_arb(complex, wide);
      evaluate(wide, Function::sigmoid, wide, 30);
      evaluate(complex, Function::sigmoid, complex, 30);
      REQUIRE(arb_is_finite(wide));
      for (int i = -10; i <= 10; ++i) {
        Ball value;
        arb_set_d(value, middle + radius * i / 10);
        evaluate(value, Function::sigmoid, value, 60);
        CHECK(arb_overlaps(wide, value));
        CHECK(arb_overlaps(acb_realref(static_cast<acb_ptr>(complex)), value));
      }
      const double nearest = std::abs(middle) - radius;
      if (nearest < 100) continue;
      CHECK(mag_cmp_2exp_si(arb_radref(static_cast<arb_ptr>(wide)), -26) < 0);
      CHECK(mag_cmp_2exp_si(arb_radref(acb_realref(static_cast<acb_ptr>(complex))), -26) < 0);
    }
}

TEST_CASE("a ball with a pole or a branch point has no finite value") {
  const auto finite = [](Function function, double real, double imaginary) {
    ComplexBall z;
    acb_set_d_d(z, real, imaginary);
    for (arb_ptr part :
         {acb_realref(static_cast<acb_ptr>(z)), acb_imagref(static_cast<acb_ptr>(z))})
      mag_set_d(arb_radref(part), 0.5);
    evaluate(z, function, z, 60);
    return acb_is_finite(z) != 0;
  };
  CHECK_FALSE(finite(Function::log, -2, 0));
  CHECK_FALSE(finite(Function::sqrt, -2, 0));
  CHECK_FALSE(finite(Function::sigmoid, 0, M_PI));
  CHECK_FALSE(finite(Function::tanh, 0, M_PI / 2));
  CHECK_FALSE(finite(Function::reciprocal, 0.2, 0.2));
  CHECK(finite(Function::log, 2, 0));
  CHECK(finite(Function::exp, 0, 3));
  CHECK(finite(Function::sigmoid, 0, 0));
}

}  // namespace
}  // namespace wmi
