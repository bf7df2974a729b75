#include "solver/smooth/gauss_legendre.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("a rule is exact up to twice its points, and not beyond") {
  constexpr slong bits = 100;
  for (const unsigned points : {2U, 3U, 7U, 20U}) {
    const auto rule = gauss_legendre(points, bits);
    REQUIRE(rule->nodes.size() == points);
    for (unsigned degree = 0; degree <= 2 * points; ++degree) {
      Ball sum;
      for (unsigned k = 0; k < points; ++k) {
        Ball power;
        arb_pow_ui(power, rule->nodes[k], degree, bits);
        arb_addmul(sum, power, rule->weights[k], bits);
        CHECK(arb_is_positive(rule->weights[k]));
      }
      CHECK(interval(sum).contains(ratio(1, degree + 1)) == (degree < 2 * points));
    }
  }
}

}  // namespace
}  // namespace wmi
