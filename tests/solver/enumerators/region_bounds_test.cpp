#include "solver/enumerators/region_bounds.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

TEST_CASE("positive and negative products that may be missing are added up separately") {
  // (1)(1) + (-1)(-1) = 2 and (1)(-1) + (-1)(1) = -2, though each sum is between -1 and 1.
  CHECK(signed_product_bounds({-1, 1}, {-1, 1}) == Interval(-2, 2));
  CHECK(signed_product_bounds({-2, 3}, {-5, 7}) == Interval(-(3 * 5 + 2 * 7), 3 * 7 + 2 * 5));
  // Where nothing is below 0, it is the product of the upper ends, or nothing.
  CHECK(signed_product_bounds({2, 3}, {4, 5}) == Interval(0, 15));
  CHECK(signed_product_bounds({0, 3}, {-2, -1}) == Interval(-6, 0));
  CHECK(signed_product_bounds({-3, -2}, {-5, -4}) == Interval(0, 15));
}

}  // namespace
}  // namespace wmi
