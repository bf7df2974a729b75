#include "solver/numeric/quadrature.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("a polynomial alone has its exact integral in the ball") {
  const auto one = [](acb_ptr result, acb_srcptr, bool, slong) { acb_one(result); };
  // 1 + 3 x^2 from -1 to 2: 3 + 9.
  const Ball found = integrate(Univariate({1, 0, 3}), one, -1, 2, 64);
  CHECK(interval(found).contains(12));
  CHECK(has_digits(found, 12));
}

TEST_CASE("x exp(x) from 0 to 1 integrates to 1") {
  const auto exponential = [](acb_ptr result, acb_srcptr z, bool, slong bits) {
    acb_exp(result, z, bits);
  };
  const Ball found = integrate(Univariate({0, 1}), exponential, 0, 1, 200);
  CHECK(interval(found).contains(1));
  CHECK(has_digits(found, 50));
}

}  // namespace
}  // namespace wmi
