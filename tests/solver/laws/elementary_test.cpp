#include "solver/laws/elementary.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/reference_quadrature.h"

namespace wmi::tests {
namespace {

using Function = Interval (*)(const Rational&, unsigned);
using Reference = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

TEST_CASE("elementary functions are enclosed, to the digits asked for") {
  const struct {
    Function function;
    Reference reference;
    bool positive;
  } all[] = {{exponential, mpfr_exp, false},
             {logarithm, mpfr_log, true},
             {hyperbolic_sine, mpfr_sinh, false},
             {inverse_hyperbolic_sine, mpfr_asinh, false},
             {square_root, mpfr_sqrt, true}};
  for (const auto& each : all)
    for (const Rational& x : {ratio(1, 3), ratio(-7, 5), ratio(1000, 7), ratio(-1, 1'000'000),
                              Rational(1 + ratio(1, 1'000'000'000))})
      for (const unsigned digits : {3U, 12U, 50U}) {
        if (each.positive && x < 0) continue;
        CAPTURE(x.get_d());
        const Interval found = each.function(x, digits);
        const Rational expected = reference([&](mpfr_ptr value) {
          mpfr_set_q(value, x.get_mpq_t(), MPFR_RNDN);
          each.reference(value, value, MPFR_RNDN);
        });
        CHECK(found.contains(expected));
        Rational width = (found.upper - found.lower) / abs(expected);
        for (unsigned i = 0; i < digits; ++i) width *= 10;
        CHECK(width <= 1);
      }
}

TEST_CASE("values at 0 and 1 are exact, and impossible arguments are refused") {
  CHECK(logarithm(1, 10) == Interval(0));
  CHECK(hyperbolic_sinc(0, 10) == Interval(1));
  CHECK(hyperbolic_sine(0, 10) == Interval(0));
  CHECK(square_root(0, 10) == Interval(0));
  CHECK(hyperbolic_sinc(2, 10).contains(Rational(hyperbolic_sine(2, 30).midpoint() / 2)));
  CHECK_THROWS_AS(logarithm(0, 10), Error);
  CHECK_THROWS_AS(square_root(-1, 10), Error);
}

}  // namespace
}  // namespace wmi::tests
