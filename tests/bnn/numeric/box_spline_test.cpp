#include "bnn/numeric/box_spline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace wmi::bnn {
namespace {

TEST_CASE("two equal boxes have a triangular law") {
  const double half_widths[] = {0.5, 0.5};
  double size = 0;
  CHECK(box_spline(half_widths, 2, 0, 0, -0.25, size) == doctest::Approx(0.75));
  CHECK(box_spline(half_widths, 2, 0, 1, -0.25, size) == doctest::Approx(0.28125));
  CHECK(box_spline(half_widths, 2, 0, 0, -2, size) == 0);
  CHECK(size == 0);
}

TEST_CASE("without boxes it is the normal law") {
  double size = 0;
  for (const double x : {-6.0, -1.0, 0.5})
    CHECK(box_spline(nullptr, 0, 2, 1, x, size) ==
          doctest::Approx(normal_cdf(x / 2)).epsilon(1e-12));
}

TEST_CASE("each order is the derivative of the next") {
  const double half_widths[] = {0.3, 0.7, 1.1};
  constexpr double step = 1e-4;
  for (const int order : {0, 1})
    for (const double x : {-3.0, -1.2, -0.1}) {
      double size = 0;
      const double slope = (box_spline(half_widths, 3, 0.2, order + 1, x + step, size) -
                            box_spline(half_widths, 3, 0.2, order + 1, x - step, size)) /
                           (2 * step);
      CHECK(box_spline(half_widths, 3, 0.2, order, x, size) ==
            doctest::Approx(slope).epsilon(1e-5));
    }
}

}  // namespace
}  // namespace wmi::bnn
